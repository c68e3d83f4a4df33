"""A Dask cluster of two workers on this machine, until stdin ends; prints the scheduler's address and the workers' processes."""

import importlib
import json
import sys


def main() -> None:
    make = importlib.import_module("distributed").LocalCluster
    with make(n_workers=2, threads_per_worker=1, host="127.0.0.1", protocol="tcp://", dashboard_address=None) as cluster:
        result = {
            "address": cluster.scheduler_address.removeprefix("tcp://"),
            "pids": [one.pid for one in cluster.workers.values()],
        }
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
