"""bond in the terminal: how its table is drawn, and what is asked of somebody who types a view in."""
