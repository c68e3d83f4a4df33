"""Measurements of speed and strength that are too long or too noisy for a test."""
