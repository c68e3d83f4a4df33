"""An hour of mixed load: `python -m bench.soak`."""
