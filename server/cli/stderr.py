"""stderr while a server runs: what others write there, such as gRPC, becomes lines of the server's log."""

import contextlib
import faulthandler
import gc
import logging
import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from machiavel.server.matches.faults import frames_of, kind_of
from machiavel.server.service.config import Config
from machiavel.server.service.telemetry import make_log, nowhere

__all__ = ["logged_stderr"]

STDERR = 2
# As abseil writes for gRPC: I1119 03:42:26.500226    9014 ssl_transport_security.cc:2563] Handshake failed
GRPC_LINE = re.compile(r"([IWEF])\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ ([^ \]]+:\d+)\] (.*)")
LEVELS = {"I": "info", "W": "warning", "E": "error", "F": "error"}
LONGEST = 8192  # bytes of a line; the rest is a line of its own
LAST = 1.0  # seconds, for what was written before the end


@contextmanager
def logged_stderr(config: Config) -> Iterator[TextIO]:
    """Gives the true stderr, for the log.

    All else that is written to stderr, by C code and by child processes too, goes through a pipe and becomes lines of that log.
    So does what libraries give to Python's logging. Nobody waits for room in the pipe, since a writer may hold the interpreter's
    lock, which the reader needs: what does not fit is lost. A process without stderr logs nothing.
    """
    if sys.stderr is None:  # its descriptor may be some other file by now
        yield nowhere()
        return
    try:
        stream = os.fdopen(os.dup(STDERR), "w", encoding="utf-8", errors="backslashreplace")
    except OSError:
        yield nowhere()
        return
    log = make_log(config, stream)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    sys.stderr.flush()
    os.dup2(writing, STDERR)
    os.close(writing)
    reader = threading.Thread(target=read, args=(reading, log), daemon=True)
    reader.start()
    # A crash has no time to go through the pipe.
    traces_crashes = not faulthandler.is_enabled()
    if traces_crashes:
        faulthandler.enable(stream)
    try:
        with python_log(log):
            yield stream
    finally:
        gc.collect()  # gRPC may have something to say of what it lets go
        with contextlib.suppress(OSError):
            sys.stderr.flush()
        if traces_crashes:
            faulthandler.disable()
        os.dup2(stream.fileno(), STDERR)
        reader.join(LAST)  # a process that still has the other end would keep it for ever
        if not reader.is_alive():
            stream.close()


def read(reading: int, log: Any) -> None:
    """Logs line by line, up to the end of what the pipe gives."""
    rest = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while part := pipe.read(1 << 16):
            *lines, rest = (rest + part).split(b"\n")
            while len(rest) > LONGEST:
                lines.append(rest[:LONGEST])
                rest = rest[LONGEST:]
            for line in lines:
                tell(line, log)
    tell(rest, log)


def tell(data: bytes, log: Any) -> None:
    """Logs a line, in pieces where it is too long."""
    for begin in range(0, len(data), LONGEST):
        tell_piece(data[begin : begin + LONGEST], log)


def tell_piece(data: bytes, log: Any) -> None:
    line = data.decode("utf-8", "replace").rstrip()
    if not line:
        return
    matched = GRPC_LINE.fullmatch(line)
    if matched is None:
        log.warning("stderr", message=line)
    else:
        getattr(log, LEVELS[matched[1]])("grpc", source=matched[2], message=matched[3])


@contextmanager
def python_log(log: Any) -> Iterator[None]:
    """Inside, what libraries give to Python's logging and to its warnings is logged here."""
    handler = LibraryLogHandler(log)
    logging.getLogger().addHandler(handler)
    logging.captureWarnings(True)
    try:
        yield
    finally:
        logging.captureWarnings(False)
        logging.getLogger().removeHandler(handler)


class LibraryLogHandler(logging.Handler):
    """Of an error it tells its kind and where it came from: its message, or the record's, may hold a hidden card.

    A call that cannot be read raises nothing, as everywhere in Python's logging. Its `handleError` would print the arguments.
    """

    def __init__(self, log: Any) -> None:
        super().__init__(logging.WARNING)
        self.log = log

    def emit(self, record: logging.LogRecord) -> None:
        try:
            told = told_of(record)
        except Exception:  # noqa: BLE001
            told = {"kind": "unreadable"}
        write = self.log.error if record.levelno >= logging.ERROR else self.log.warning
        write("library", logger=record.name, **told)


def told_of(record: logging.LogRecord) -> dict[str, Any]:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return {"message": record.getMessage().partition("\n")[0]}
    return {"kind": kind_of(error), "frames": frames_of(error)}
