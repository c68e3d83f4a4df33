"""The example's tests run where the example is installed."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("machiavel_kuhn_elsewhere") else ["test_kuhn_elsewhere.py"]
