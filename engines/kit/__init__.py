"""A game of one's own in one file of Python: rules over integers, run interpreted or compiled."""
