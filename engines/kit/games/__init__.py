"""The games in the box, each a file as an author would write it; RULES.md holds their rules."""
