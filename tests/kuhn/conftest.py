"""The example's tests run where the example is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("machiavel_kuhn") else ["test_kuhn.py"]
