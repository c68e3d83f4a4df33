"""The configurations in `deploy/`, run as they stand."""
