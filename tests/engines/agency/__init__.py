"""Tests of agency: its rules, decks, texts, views and records."""
