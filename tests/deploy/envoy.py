"""Envoy with the configuration of `deploy/`, in front of a server of this process."""

import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import trustme

__all__ = ["Envoy", "enveloped"]

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
WAIT = 20.0  # seconds
FOLDER = "/etc/machiavel"


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
    return port


def replaced(text: str, changes: dict[str, str]) -> str:
    """The text with other ports and folders; what is to be changed must be there."""
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


class Envoy:
    """The process, its port for the public and its port for the operator, and whom to trust."""

    def __init__(self, folder: Path, native: str, web: str) -> None:
        self.folder = folder
        self.native, self.web = native, web
        self.port, self.admin = free_port(), free_port()
        self.log = folder / "envoy.log"
        self.authority = folder / "authority.pem"
        self.signs = trustme.CA()

    def renew(self) -> None:
        """Puts a new certificate in place, by renames."""
        certificate = self.signs.issue_cert("localhost", "127.0.0.1")
        for name, blob in (("key", certificate.private_key_pem), ("certificate", certificate.cert_chain_pems[0])):
            blob.write_to_path(self.folder / "new.pem")
            (self.folder / "new.pem").rename(self.folder / f"{name}.pem")

    def write(self) -> None:
        self.signs.cert_pem.write_to_path(self.authority)
        self.renew()
        own = {FOLDER: str(self.folder)}
        ports = {
            "address: 0.0.0.0, port_value: 443": f"address: 127.0.0.1, port_value: {self.port}",
            "port_value: 7788": f"port_value: {self.native.rpartition(':')[2]}",
            "port_value: 7789": f"port_value: {self.web.rpartition(':')[2]}",
            "port_value: 9901": f"port_value: {self.admin}",
        }
        for name, changes in (("envoy.yaml", own | ports), ("certificate.yaml", own)):
            text = (DEPLOY / name).read_text(encoding="utf-8")
            (self.folder / name).write_text(replaced(text, changes), encoding="utf-8")

    @property
    def address(self) -> str:
        return f"localhost:{self.port}"

    def stats(self, pattern: str) -> dict[str, int]:
        with urlopen(f"http://127.0.0.1:{self.admin}/stats?format=json&filter={pattern}", timeout=WAIT) as answer:
            return {one["name"]: one["value"] for one in json.load(answer)["stats"] if "name" in one}

    def until_healthy(self, servers: int = 1) -> None:
        """Waits until it finds so many servers healthy behind each port."""
        ends = time.monotonic() + WAIT
        while True:
            try:
                if set(self.stats("membership_healthy").values()) == {servers}:
                    return
            except OSError:
                pass
            assert time.monotonic() < ends, self.log.read_text(encoding="utf-8")
            time.sleep(0.05)

    def calls(self) -> list[dict[str, object]]:
        """The lines of its log about calls."""
        return [json.loads(line) for line in self.log.read_text(encoding="utf-8").splitlines() if re.match(r'\{"', line)]


@contextmanager
def enveloped(folder: Path, native: str, web: str) -> Iterator[Envoy]:
    """Envoy in front of these two ports, once it has found them healthy."""
    result = Envoy(folder, native, web)
    result.write()
    command = [str(Path(sys.executable).parent / "envoy"), "--config-path", str(folder / "envoy.yaml")]
    with result.log.open("w", encoding="utf-8") as log:
        process = subprocess.Popen(
            [*command, "--concurrency", "1", "--use-dynamic-base-id", "--file-flush-interval-msec", "200"],
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        result.until_healthy()
        yield result
    finally:
        process.terminate()
        process.wait(WAIT)
