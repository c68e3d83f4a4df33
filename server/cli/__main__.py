"""`python -m machiavel.server.cli`, where the command is not on the path."""

from machiavel.server.cli import main

raise SystemExit(main())
