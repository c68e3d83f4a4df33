"""What every installed engine must fulfil; `cases.py` says by which options each is played."""
