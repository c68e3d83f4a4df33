class Background:
    """Searches, in the thread that calls `serve`, for one other thread at a time."""

    def serve(self) -> None:
        """Until it is closed."""
    def close(self) -> None:
        """Lets the thread go."""
    @property
    def worked(self) -> float:
        """Seconds of its thread in searches."""
