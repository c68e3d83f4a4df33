"""Bots against bots: schedules, players, a ledger of games, ratings and reports."""
