"""Tests of the `machiavel` command."""
