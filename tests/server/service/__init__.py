"""Tests of the network service, over loopback."""
