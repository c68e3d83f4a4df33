"""One table of cases over every way into a server: the same messages come back, whichever way a call goes."""
