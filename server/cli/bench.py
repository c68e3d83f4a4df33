"""`machiavel bench`: how fast the engines and their search are on this machine."""

from typing import Any

from machiavel.server.cli import bench_playouts, bench_search, bench_signature

__all__ = ["add_command"]

EPILOG = """\
examples:
  machiavel bench search --game agency --players 4
  machiavel bench playouts --game agency --players 4
  machiavel bench signature
"""


def add_command(commands: Any) -> None:
    parser = commands.add_parser(
        "bench",
        help="measure speed",
        description="How fast the engines and their search are on this machine.",
        epilog=EPILOG,
    )
    benches = parser.add_subparsers(title="benches", metavar="BENCH", required=True)
    for bench in (bench_search, bench_playouts, bench_signature):
        bench.add_bench(benches)
