"""`python -m bench.abuse.held_loop serve …` is `machiavel serve …`, and tells at its end what held its event loop for long.

Time is the loop's own thread on a processor, so other work on the machine makes no difference. Give it to the attacks:
`python -m bench.abuse records --server "python -m bench.abuse.held_loop"`.
"""

import asyncio
import asyncio.events
import gc
import re
import sys
import threading
import time
from collections import Counter
from typing import Any

from machiavel.server.cli import main

LONG = 0.005  # seconds
SHOWN = 12
NOISE = re.compile(r" at 0x[0-9a-f]+|name='[^']*'|wait_for=<.*?>|cb=\[.*?\]|\d{2,}")
LOOK = 0.003
DEPTH = 4  # frames of this house that are told
held: dict[str, list[float]] = {}
stacks: Counter[str] = Counter()


class Running:
    """What the loop is at: since when, by its thread's clock."""

    began: float | None = None
    is_told = False
    collecting = 0.0


def watch_loop() -> None:
    """Measures every callback of every loop from now on."""
    run: Any = asyncio.events.Handle._run  # noqa: SLF001

    def measured(handle: Any) -> None:
        Running.is_told, Running.began = False, time.thread_time()
        run(handle)
        began, Running.began = Running.began, None
        took = time.thread_time() - (began or 0.0)
        if took > LONG:
            held.setdefault(name_of(handle), []).append(took)

    asyncio.events.Handle._run = measured  # type: ignore[assignment]  # noqa: SLF001
    gc.callbacks.append(collected)


def collected(phase: str, info: dict[str, int]) -> None:
    """Garbage is collected in whatever happens to make the last object, in any thread; all others wait for it."""
    if phase == "start":
        Running.collecting = time.thread_time()
    elif (took := time.thread_time() - Running.collecting) > LONG:
        held.setdefault(f"collecting garbage of generation {info['generation']}", []).append(took)


def look_on(thread: int) -> None:
    """Notes where the loop is whenever it has been at one thing for long."""
    clock = time.pthread_getcpuclockid(thread)
    while True:
        time.sleep(LOOK)
        began = Running.began
        if began is None or Running.is_told or time.clock_gettime(clock) - began < LONG:
            continue
        Running.is_told = True
        frame, lines = sys._current_frames().get(thread), list[str]()  # noqa: SLF001
        while frame is not None and len(lines) < DEPTH:
            if "machiavel" in frame.f_code.co_filename:
                lines.append(f"{frame.f_code.co_filename.rpartition('machiavel/')[2]}:{frame.f_lineno} {frame.f_code.co_name}")
            frame = frame.f_back
        stacks[" < ".join(lines)] += 1


def name_of(handle: Any) -> str:
    callback = handle._callback  # noqa: SLF001
    task = getattr(callback, "__self__", None)
    coro = task.get_coro() if isinstance(task, asyncio.Task) else None
    return NOISE.sub("", f"{coro!r}" if coro is not None else f"{callback!r}")[:160]


def told() -> str:
    rows = sorted(held.items(), key=lambda pair: -max(pair[1]))[:SHOWN]
    lines = (f"{1000 * max(times):8.1f} ms most, {len(times):5} times over {1000 * LONG:g} ms: {name}" for name, times in rows)
    where = (f"{count:5} times at {stack}" for stack, count in stacks.most_common(SHOWN))
    return "\n".join(["held the loop:", *lines, *where, ""])


if __name__ == "__main__":
    watch_loop()
    threading.Thread(target=look_on, args=(threading.get_ident(),), daemon=True).start()
    try:
        raise SystemExit(main())
    finally:
        sys.stderr.write(told())
