"""What runs on top of games and search: the command line."""
