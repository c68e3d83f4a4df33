"""The names of moves and metrics under one set of rules; each is asked of the game's plugin once."""

from libc.stdint cimport uint32_t

from machiavel.engines.plugin import LANGUAGES


cdef class Texts:
    """Kept for as long as the rules, which every call is given: held here, they would never be freed.

    Only moves below the engine's `move_limit` may be asked for, so what is kept is bounded.
    """

    def __cinit__(self, plugin):
        self.plugin = plugin
        self.numbers = {}
        self.texts = {}
        self.public_texts = {}
        self.move_labels = {}
        self.public_move_labels = {}

    cdef str text(self, object rules, uint32_t move):
        """The canonical text of a move; from then on `numbers` has it, for it means that move alone."""
        text = self.texts.get(move)
        if text is None:
            text = self.texts[move] = self.plugin.move_text(rules, move)
            self.numbers[text] = move
        return text

    cdef str public(self, object rules, uint32_t move):
        """The move as those see it who may not know what it was."""
        text = self.public_texts.get(move)
        if text is None:
            text = self.public_texts[move] = self.plugin.public_text(rules, move)
        return text

    cdef dict labels(self, object rules, uint32_t move):
        """The move as a player reads it, by language; not to be changed."""
        labels = self.move_labels.get(move)
        if labels is None:
            labels = {language: self.plugin.move_label(rules, move, language) for language in LANGUAGES}
            self.move_labels[move] = labels
        return labels

    cdef dict public_labels(self, object rules, uint32_t move):
        """The move as players read it who may not know what it was, by language; not to be changed."""
        if self.public(rules, move) == self.text(rules, move):
            return self.labels(rules, move)
        labels = self.public_move_labels.get(move)
        if labels is None:
            labels = {language: self.plugin.public_label(rules, move, language) for language in LANGUAGES}
            self.public_move_labels[move] = labels
        return labels

    cdef tuple metrics(self, object rules):
        if self.metric_names is None:
            self.metric_names = tuple(self.plugin.metrics(rules))
        return self.metric_names
