"""What every engine must fulfil, checked for every engine that is installed; `cases.py` says by which options it is played."""
