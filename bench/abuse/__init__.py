"""Attacks of many callers beside a polite one: `python -m bench.abuse`."""
