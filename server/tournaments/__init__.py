"""Bots against bots: schedules, players, a journal of games, ratings and reports."""
