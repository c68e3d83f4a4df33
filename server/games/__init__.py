"""What draws and asks in the terminal, one folder a game; the engines name these parts as text."""
