"""The questions of a form, put to a person in the terminal: each answer may be corrected, and what clashes is asked again."""

import json
import re
import sys

from rich.console import Console
from rich.text import Text

from machiavel.engines import BadOption, BadView, GameError, View
from machiavel.server.cli.command_texts import TEXTS, Words
from machiavel.server.cli.frontends import QUIT, read_line
from machiavel.server.cli.output import visible
from machiavel.server.forms.steps import Answers, Form, FormStep, Wrong, yes

__all__ = ["interview"]

HELP = {"?", "help", "aide"}  # not h, which may be an answer
NAME = re.compile(r"[a-z_]+")  # of fields
BACK, ALL = {"<", "back", "retour"}, {"=", "all", "tout"}


def interview(form: Form, console: Console, language: str, given: Answers) -> View | None:
    """The view that the answers make; None where the person leaves. What is `given` is not asked for."""
    return Interview(form, console, language, given).run()


class Interview:
    """One person's answers to one form."""

    def __init__(self, form: Form, console: Console, language: str, given: Answers) -> None:
        self.form = form
        self.console = console
        self.words = Words(TEXTS, language)
        self.language = language
        self.given = dict(given)
        self.answers: Answers = dict(given)
        self.entries: dict[str, str] = {}
        self.order: list[str] = []  # steps answered, as they were

    def run(self) -> View | None:
        self.say(self.words("ask_how"), "dim")
        while True:
            step = self.next_step()
            if step is not None:
                if not self.ask(step):
                    return None
                continue
            view = self.read()
            if view is not None:
                choice = self.agree()
                if choice is None:
                    return None
                if choice:
                    return view

    def say(self, text: str, style: str = "") -> None:
        self.console.print(Text(text, style=style))

    def next_step(self) -> FormStep | None:
        return next((step for step in self.form.steps if step.key not in self.answers and step.is_needed(self.answers)), None)

    # ---- One question ----

    def ask(self, step: FormStep) -> bool:
        """Until there is an answer, or the person goes back; False where they leave."""
        usual = step.usual(self.answers)
        while True:
            hint = "" if usual is None else self.words("ask_usual", value=self.told(step, usual))
            self.say(f"{step.question[self.language]}{hint}", "bold")
            entry = self.entry()
            if entry is None:
                return False
            word = entry.casefold()
            if word in HELP:
                self.say(step.help[self.language])
            elif word in BACK:
                self.back()
                return True
            elif word in ALL:
                self.summary()
            elif word.startswith("=") and self.ask_again(word[1:].strip()):
                return True
            elif word.startswith("="):
                self.say(self.words("ask_no_such"))
            elif entry or usual is not None:
                try:
                    self.keep(step, entry or usual or "")
                except Wrong as wrong:
                    self.say(wrong.texts[self.language], "bold red")
                else:
                    return True
            else:
                self.say(self.words("ask_needed"))

    def told(self, step: FormStep, entry: str) -> str:
        """An entry as it is shown; yes and no in the language that is read."""
        if step.is_yes_or_no:
            return self.words("ask_yes" if yes(self.answers, entry) else "ask_no")
        return entry or self.words("ask_nothing")

    def entry(self) -> str | None:
        line = read_line("> ")
        if line is None:
            self.say(self.words("ask_no_input"))
            return None
        entry = line.strip()
        if not sys.stdin.isatty():
            self.say(f"> {visible(entry)}")
        return None if entry.casefold() in QUIT else entry

    def keep(self, step: FormStep, entry: str) -> None:
        self.answers[step.key] = step.read(self.answers, entry)
        self.entries[step.key] = visible(entry)
        self.order = [*(key for key in self.order if key != step.key), step.key]
        self.forget_needless()

    def forget_needless(self) -> None:
        """What an answer corrected makes needless."""
        for step in self.form.steps:
            if step.key in self.answers and step.key not in self.given and not step.is_needed(self.answers):
                self.forget(step.key)

    def forget(self, key: str) -> None:
        self.answers.pop(key, None)
        self.entries.pop(key, None)
        self.order = [one for one in self.order if one != key]

    def back(self) -> None:
        if self.order:
            self.forget(self.order[-1])
        else:
            self.say(self.words("ask_first"))

    # ---- All of them ----

    def summary(self) -> None:
        for number, step in enumerate(self.asked(), 1):
            self.say(f"{number:>3} {step.question[self.language]} {self.told(step, self.entries[step.key])}")

    def asked(self) -> list[FormStep]:
        return [step for step in self.form.steps if step.key in self.entries]

    def ask_again(self, number: str) -> bool:
        """Forgets the answer of that number in the summary, if there is one."""
        asked = self.asked()
        is_known = number.isascii() and number.isdigit() and 1 <= int(number[:9]) <= len(asked)
        if is_known:
            self.forget(asked[int(number[:9]) - 1].key)
        return is_known

    def read(self) -> View | None:
        """The view, or None where something clashes: the question it belongs to is asked again."""
        try:
            return self.form.game.view_from_json(json.dumps(self.form.data(self.answers)))
        except (BadView, BadOption) as error:
            field = error.field if isinstance(error, BadView) else error.option
            for message in error.messages(self.language):
                self.say(self.words("ask_clash", problem=message), "bold red")
            self.concerned(str(error))
            step = self.form.place(field)
            self.forget(step if step in self.entries else (self.order or [""])[-1])
            if not self.order and step not in self.entries:
                self.answers = dict(self.given)
        except GameError as error:
            self.say(error.message(self.language), "bold red")
            self.back()
        return None

    def concerned(self, problem: str) -> None:
        """The answers that an error speaks of, as they were asked for."""
        names = {self.form.place(name) for name in NAME.findall(problem)}
        told = [
            f"{number} {step.question[self.language]} {self.told(step, self.entries[step.key])}"
            for number, step in enumerate(self.asked(), 1)
            if step.key in names
        ]
        if told:
            self.say(self.words("ask_about", answers=" · ".join(told)))

    def agree(self) -> bool | None:
        """Whether all is as it should be; a number asks that question again. None where the person leaves."""
        self.summary()
        while True:
            self.say(self.words("ask_agree"), "bold")
            entry = self.entry()
            if entry is None or not entry:
                return None if entry is None else True
            if entry.casefold() in BACK:
                self.back()
                return False
            if self.ask_again(entry.removeprefix("=").strip()):
                return False
            self.say(self.words("ask_agree_help"))
