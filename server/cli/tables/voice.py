"""How players are named, and what they do is said: to the person at one seat, in one language."""

from rich.text import Text

from machiavel.server.cli.command_texts import Texts, Words
from machiavel.server.cli.tables.setting import TableSetting

__all__ = ["SeatVoice"]


class SeatVoice:
    """Says who and what.

    Keys of what somebody does end in who does it and, after another underscore, to whom: `me` is the reader, `they` and
    `them` somebody else, `self` who does it.
    """

    def __init__(self, texts: Texts, setting: TableSetting) -> None:
        self.words = Words(texts, setting.language)
        self.language = setting.language
        self.me = setting.seat

    def full(self, seat: int) -> str:
        """A player by seat, the reader too."""
        return self.words("name_bare", seat=seat)

    def name(self, seat: int) -> str:
        return self.words("you") if seat == self.me else self.full(seat)

    def of(self, key: str, seat: int) -> str:
        """What belongs to a player: `key` with the player in it, or `key_me`."""
        return self.words(f"{key}_me") if seat == self.me else self.words(key, who=self.full(seat))

    def say(self, key: str, who: int, target: int | None = None, **parts: object) -> Text:
        """The sentence that fits who does it, and to whom."""
        key += "_me" if who == self.me else "_they"
        if target is not None:
            key += "_self" if target == who else "_me" if target == self.me else "_them"
            parts["target"] = self.full(target)
        return self.words.styled(key, who=Text(self.full(who), style="bold"), **parts)
