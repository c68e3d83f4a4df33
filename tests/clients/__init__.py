"""Tests of the client and of the frontends that use it."""
