"""Tests of the engines through their Python face."""
