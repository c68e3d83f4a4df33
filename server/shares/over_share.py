"""The refusal of what would be more than a caller's share."""

__all__ = ["OverShare"]


class OverShare(Exception):
    """A caller wants more of a thing than it may have now.

    `limit` is the limit's name: `calls` for all callers together, `callers.NAME.calls` for one. `most` is what that limit allows,
    `own` what this caller has of it. Nothing here tells of other callers.
    """

    def __init__(self, limit: str, most: int, own: int, what: str, retry_after: float) -> None:
        is_own = limit.startswith("callers.")
        bound = f"at most {most} for you" if is_own else f"at most {most} for all callers"
        super().__init__(f"too many {what} already ({bound}; {own} are yours); try again in {retry_after:g} s")
        self.limit = limit
        self.most = most
        self.own = own
        self.what = what
        self.retry_after = retry_after  # seconds
