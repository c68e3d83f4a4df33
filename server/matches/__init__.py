"""Hosted matches: what happens in them, who is shown what, bots that play by themselves, clocks."""
