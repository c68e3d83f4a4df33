"""Headers, events and answers to write into a storage."""

from dataclasses import replace
from typing import Any

from machiavel.server.storage import Event, Header, SavedResponse

TEXT = "é ’ \U0001f0cf “"


def header(match: str, created: int = 1, account: str = "anna", **more: Any) -> Header:
    plain = Header(match, account, created, b"host of " + match.encode(), b"code of " + match.encode(), f'{{"of": "{TEXT}"}}')
    return replace(plain, **more)


def event(seq: int) -> Event:
    return Event(seq, 1000 + seq, f'{{"what": "{TEXT}", "seq": {seq}}}')


def answer(actor: str, request: bytes = b"request") -> SavedResponse:
    return SavedResponse(actor, request, b"digest", b"response \x00\xff")
