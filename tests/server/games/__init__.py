"""Tests of tables in the terminal."""
