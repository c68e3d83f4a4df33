"""Tokens, codes, deals: what is drawn for a match, and the little of it that is kept."""

import base64
import hashlib
import hmac
import re

from machiavel.server.draws import Draw, drawn_number

__all__ = [
    "commitment_of",
    "digest_of",
    "draw_deal",
    "draw_name",
    "draw_secret",
    "is_name",
    "is_same",
    "made_code",
    "made_token",
    "read_code",
]

SEED_BYTES, SALT_BYTES = 16, 32
LONGEST_TYPED = 64  # signs that are looked at
CODE_LETTERS, CODE_LENGTH = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", 10  # Crockford's: none looks like another
NAME = re.compile(r"[A-Za-z0-9_-]{22}")


def draw_name(draw: Draw) -> str:
    """A match's name: 128 bits, so that nobody meets one by chance. None begins as a flag of a command does."""
    name = text_of(draw(16))
    return f"A{name[1:]}" if name.startswith("-") else name


def is_name(text: str) -> bool:
    return NAME.fullmatch(text) is not None


def draw_deal(draw: Draw) -> tuple[int, bytes]:
    """Seed and salt."""
    return drawn_number(draw, 8 * SEED_BYTES), draw(SALT_BYTES)


def draw_secret(draw: Draw) -> bytes:
    """What the tokens of a match are made with."""
    return draw(32)


def commitment_of(seed: int, salt: bytes) -> str:
    """Published before the first card is seen, so that the deal cannot be changed any more."""
    return hashlib.sha256(seed.to_bytes(SEED_BYTES, "big") + salt).hexdigest()


def made_token(secret: bytes, request: str, role: str) -> str:
    """256 bits, made of the request's id, of which a hash alone is kept.

    So the first answer to a request can be given again, tokens included, and yet nobody who reads what is kept has a token.
    """
    return text_of(made(secret, request, role))


def made_code(secret: bytes, request: str) -> str:
    number = int.from_bytes(made(secret, request, "code"), "big")
    return "".join(CODE_LETTERS[number >> 5 * place & 31] for place in range(CODE_LENGTH))


def made(secret: bytes, request: str, role: str) -> bytes:
    return hmac.digest(secret, f"{role}\n{request}".encode(), "sha256")


def read_code(text: str) -> str:
    """As it was given out, however it is typed; what is no code is left to be found unknown."""
    plain = text[:LONGEST_TYPED].upper().replace("-", "").replace(" ", "")
    return plain[:LONGEST_TYPED].translate(str.maketrans("OIL", "011"))  # some letters become two when they are made capital


def digest_of(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def is_same(token: str, kept: bytes) -> bool:
    """Whether that is the token kept as a hash; takes as long either way."""
    return hmac.compare_digest(digest_of(token), kept)


def text_of(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")
