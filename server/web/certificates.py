"""TLS at the door: the server's certificate, and whom a client's is for, as gRPC names them."""

import re
import ssl
from collections.abc import Mapping
from typing import Any

from machiavel.server.service.config import BadConfig, Config

__all__ = ["certificate_of", "shrink_buffers", "tls_context"]

# What RFC 2253 calls the parts of a name; OpenSSL writes the others out.
SHORT = {
    "commonName": "CN",
    "countryName": "C",
    "domainComponent": "DC",
    "givenName": "GN",
    "localityName": "L",
    "organizationName": "O",
    "organizationalUnitName": "OU",
    "stateOrProvinceName": "ST",
    "surname": "SN",
    "userId": "UID",
}
SPECIAL = re.compile(r'[,+"\\<>;]|^[ #]| $')
BUFFER = 16 * 1024  # bytes, one record of TLS


def tls_context(config: Config) -> ssl.SSLContext:
    """That of the server's certificate; with `tls_clients`, clients must have one, too. Raises BadConfig."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    try:
        context.load_cert_chain(config.tls_certificate, config.tls_key, password=lambda: b"")
    except (ssl.SSLError, ValueError):
        raise BadConfig(
            f"tls_certificate and tls_key: {config.tls_certificate} and {config.tls_key} are no pair; "
            "expected a certificate chain and its private key without a password, both as PEM"
        ) from None
    context.set_alpn_protocols(["http/1.1"])
    if config.tls_clients:
        try:
            context.load_verify_locations(config.tls_clients)
        except ssl.SSLError:
            raise BadConfig(f"tls_clients: {config.tls_clients} holds no certificate; expected PEM") from None
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def certificate_of(transport: Any) -> Mapping[str, list[bytes]]:
    """What gRPC would say of the client's certificate; nothing where it has none."""
    certificate = transport.get_extra_info("peercert") or {}
    result = {}
    if certificate.get("subject"):
        result["x509_subject"] = [subject_text(certificate["subject"]).encode()]
    if certificate.get("subjectAltName"):
        result["x509_subject_alternative_name"] = [value.encode() for _, value in certificate["subjectAltName"]]
    return result


def subject_text(subject: tuple[tuple[tuple[str, str], ...], ...]) -> str:
    """As RFC 2253 has it: the last part first."""
    return ",".join("+".join(f"{SHORT.get(name, name)}={escaped(value)}" for name, value in part) for part in reversed(subject))


def escaped(value: str) -> str:
    """What has a meaning there behind a backslash, and what is not ASCII as the bytes of UTF-8."""
    text = SPECIAL.sub(lambda found: f"\\{found[0]}", value)
    return "".join(letter if letter.isascii() else "".join(f"\\{byte:02X}" for byte in letter.encode()) for letter in text)


def shrink_buffers(transport: Any) -> None:
    """Python keeps 256 KiB a connection with TLS to read into; a record has no more than 16. Does nothing to other insides."""
    protocol = getattr(transport, "_ssl_protocol", None)
    if all(hasattr(protocol, name) for name in ("max_size", "_ssl_buffer", "_ssl_buffer_len", "_ssl_buffer_view")):
        protocol.max_size = protocol._ssl_buffer_len = BUFFER  # type: ignore[union-attr]  # noqa: SLF001
        protocol._ssl_buffer = bytearray(BUFFER)  # type: ignore[union-attr]  # noqa: SLF001
        protocol._ssl_buffer_view = memoryview(protocol._ssl_buffer)  # type: ignore[union-attr]  # noqa: SLF001
