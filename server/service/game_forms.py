"""The questions by which a person types in what they see, as messages: which are still asked, and the view that they make."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from machiavel import v1
from machiavel.engines import BadOption, BadView, Game, GameError, GameFault, IncompatibleEngine
from machiavel.engines.errors import Problem
from machiavel.engines.phrases import in_language
from machiavel.server.forms import make_form
from machiavel.server.forms.answer_shapes import AnswerShape, shape_of
from machiavel.server.forms.steps import Answers, Form, FormStep, Wrong
from machiavel.server.service import wire
from machiavel.server.service.refusals import BadRequest
from machiavel.server.service.type_messages import ThingKinds

__all__ = ["form_message"]

LONGEST = 4000  # letters of an answer


def form_message(game: Game, entries: Mapping[str, str], kinds: ThingKinds) -> v1.GameForm:
    """The form after these answers; raises BadRequest for one to a question that there is not."""
    try:
        form = make_form(game)
    except IncompatibleEngine:  # what asks in the terminal is not installed with the server
        return v1.GameForm()
    known = [step.key for step in form.steps]
    for key, entry in entries.items():
        if key not in known:
            raise BadRequest("answers", f"has {key[:100]!r}; expected some of {', '.join(known)}")
        if len(entry) > LONGEST:
            raise BadRequest(f"answers.{key}", f"has {len(entry)} letters; expected at most {LONGEST}")
    return FilledForm(form, dict(entries), kinds).message()


@dataclass
class FilledForm:
    """A form with the answers given so far."""

    form: Form
    entries: dict[str, str]
    kinds: ThingKinds

    def message(self) -> v1.GameForm:
        result, answers, is_complete = v1.GameForm(), Answers(), True
        for step in self.form.steps:
            question = result.questions.add()
            is_complete &= self.put(question, step, answers)
        if is_complete:
            self.put_view(result, answers)
        return result

    def put(self, question: v1.FormQuestion, step: FormStep, answers: Answers) -> bool:
        """Fills in a question, and adds its answer; returns whether nothing is missing there."""
        question.key = step.key
        question.question.CopyFrom(wire.text_message(step.question))
        question.help.CopyFrom(wire.text_message(step.help))
        shape = AnswerShape("yes_or_no") if step.is_yes_or_no else shape_of(step.read, answers)
        question.type.CopyFrom(self.type_message(shape))
        question.asked = bool(after(lambda: step.is_needed(answers), default=True))
        usual = after(lambda: step.usual(answers), default=None)
        if isinstance(usual, str):
            question.usual = usual
        entry = self.entries.get(step.key)
        if entry is not None:
            question.answer = entry
        if not question.asked:
            return True
        if entry is None:
            return False
        try:
            answers[step.key] = step.read(answers, entry.strip() or (usual or ""))
        except Wrong as wrong:
            question.problem.CopyFrom(wire.text_message(wrong.texts))
        except (LookupError, TypeError, ValueError, AttributeError):  # it goes by an answer before it, which is missing
            return False
        return step.key in answers

    def type_message(self, shape: AnswerShape) -> v1.AnswerType:
        result = v1.AnswerType()
        if shape.kind:
            result.kind = v1.AnswerKind.Value(f"ANSWER_KIND_{shape.kind.upper()}")
        if shape.least is not None:
            result.least = shape.least
        if shape.most is not None:
            result.most = shape.most
        if shape.step != 1:
            result.step = shape.step
        for text, names in shape.choices:
            result.choices.append(v1.FormChoice(text=text, name=wire.text_message(names) if names else None))
        if shape.thing is not None:
            result.thing = self.kinds.name(shape.thing)
        if shape.inside is not None:
            result.inside.CopyFrom(self.type_message(shape.inside))
        if shape.label is not None:
            result.label.CopyFrom(wire.text_message(shape.label))
        result.parts.extend(map(self.type_message, shape.parts))
        result.between, result.nothing = shape.between, shape.nothing
        result.from_first, result.others, result.repeats = shape.from_first, shape.others, shape.repeats
        return result

    def put_view(self, result: v1.GameForm, answers: Answers) -> None:
        """The view, or what is wrong with it."""
        try:
            wire.put_view(result.view, self.form.game.view_from_json(self.form.data(answers)))
        except GameFault:
            raise
        except BadView as error:
            result.ClearField("view")
            result.problems.extend(self.problem(one) for one in error.problems)
        except BadOption as error:
            result.ClearField("view")
            result.problems.append(self.problem(Problem(error.option, error._wording)))  # noqa: SLF001
        except GameError as error:
            result.ClearField("view")
            result.problems.append(self.problem(Problem("", str(error))))

    def problem(self, one: Problem) -> v1.FormProblem:
        texts = {language: f"{one.field}: {in_language(one.problem, language)}" for language in ("en", "fr")}
        return v1.FormProblem(key=self.form.place(one.field) or "", problem=wire.text_message(texts))


def after(ask: Callable[[], Any], *, default: Any) -> Any:
    """What follows from the answers; the default where one is missing that it goes by."""
    try:
        return ask()
    except (LookupError, TypeError, ValueError, AttributeError, GameError):
        return default
