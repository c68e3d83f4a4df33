"""A server to be attacked: any release's, in a process of its own, with tokens for all who call."""

import asyncio
import contextlib
import json
import os
import secrets
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Sequence
from pathlib import Path
from typing import NamedTuple

__all__ = ["AttackedServer", "attacked_server", "nice_attackers"]

NICE = 10
# As the kernel numbers them.
TCP_STATES = (
    *("unknown", "established", "syn-sent", "syn-received", "fin-wait-1", "fin-wait-2", "time-wait"),
    *("closed", "close-wait", "last-ack", "listening", "closing"),
)
TICKS = os.sysconf("SC_CLK_TCK")
COMMAND = [sys.executable, "-m", "machiavel.server.cli"]
FLAGS = ("--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--json", "--log-level", "error")


class AttackedServer(NamedTuple):
    """Where it is, and who may call."""

    address: str
    web: str
    pid: int
    tokens: Path
    polite: str

    def resident(self) -> int:
        """Bytes."""
        return 1024 * self.status("VmRSS")

    def most_resident(self) -> int:
        """Bytes, so far."""
        return 1024 * self.status("VmHWM")

    def threads(self) -> int:
        return self.status("Threads")

    def descriptors(self) -> int:
        return len(list(Path(f"/proc/{self.pid}/fd").iterdir()))

    def opened(self) -> Counter[str]:
        """What its descriptors are: `pipe`, `eventpoll`, `tcp established`, a file's name."""
        states, kinds = tcp_states(self.pid), Counter[str]()
        for descriptor in Path(f"/proc/{self.pid}/fd").iterdir():
            with contextlib.suppress(FileNotFoundError):  # closed meanwhile
                kind, _, what = str(descriptor.readlink()).rstrip("]").rpartition(":[")
                name = {"": Path(what).name, "anon_inode": what, "socket": states.get(what, "socket of another kind")}
                kinds[name.get(kind, kind)] += 1
        return kinds

    def status(self, name: str) -> int:
        lines = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith(f"{name}:")).split()[1])

    def cpu(self) -> float:
        """Seconds, its own and its children's that ended."""
        fields = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICKS


def tcp_states(pid: int) -> dict[str, str]:
    """The state of each connection that a process may see, by the number of its socket."""
    states = dict[str, str]()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text(encoding="ascii").splitlines()[1:]:
            fields = line.split()
            states[fields[9]] = f"tcp {TCP_STATES[int(fields[3], 16)]}"
    return states


@contextlib.asynccontextmanager
async def attacked_server(
    folder: Path, attackers: int, command: str = "", flags: Sequence[str] = ()
) -> AsyncGenerator[AttackedServer, None]:
    """`command` runs another release's `machiavel`; what it keeps is in the folder."""
    names = {f"attacker{number:03}": secrets.token_hex(16) for number in range(attackers)} | {"polite": secrets.token_hex(16)}
    tokens = folder / "tokens.toml"
    tokens.write_text("[tokens]\n" + "".join(f'{name} = "{token}"\n' for name, token in names.items()))
    tokens.chmod(0o600)
    own = ["--storage", f"sqlite:///{folder / 'matches.sqlite'}", "--tournaments", str(folder / "tournaments")]
    begin = [*(shlex.split(command) or COMMAND), "serve", *FLAGS, "--tokens", str(tokens), *own, *flags]
    process = await asyncio.create_subprocess_exec(*begin, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None  # noqa: S101 - for mypy
        told = json.loads(await process.stdout.readline())
        yield AttackedServer(told["address"], told["web"], process.pid, tokens, names["polite"])
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 20)
        except TimeoutError:
            process.kill()
            await process.wait()


def nice_attackers() -> list[str]:
    """How a process of attackers is begun: they come after the server and the polite caller."""
    return ["nice", "-n", str(NICE), sys.executable, "-m", "bench.abuse.attackers"]
