"""The Python face of every engine: games, states and views, over the C contract."""

import copy
import json
import re
import secrets
import weakref

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from machiavel.engines._loading cimport checked_engine, has_fault
from machiavel.engines._texts cimport Texts
from machiavel.engines.abi cimport (
    MACHIAVEL_COOPERATIVE,
    MACHIAVEL_LUCK_MISSING,
    MACHIAVEL_MAX_METRICS,
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_MAX_SEATS,
    MACHIAVEL_OVER,
    MACHIAVEL_RULES_CAPSULE,
    MACHIAVEL_SEEDED,
    MACHIAVEL_SPECTATOR,
    machiavel_below,
    machiavel_engine,
    machiavel_luck,
    machiavel_mix,
    machiavel_move,
    machiavel_outcome,
    machiavel_rng,
)

from machiavel.engines.errors import (
    AmbiguousMove,
    BadLayout,
    BadOption,
    BadRecord,
    BadView,
    GameError,
    GameFault,
    IllegalMove,
    IncompatibleEngine,
    MatchNotOver,
    MatchOver,
    MissingLuck,
    NotToMove,
    out_of_json,
    shown,
)
from machiavel.engines.playouts import Playouts
from machiavel.engines.record import SEEDS, Record, parse_seed, read_object

cdef enum:
    KEPT_RULES = 64  # rules objects a game keeps for the next match with the same options
    TRIALS = 8  # worlds of a view that was typed in, each played out, where a game's own code may go wrong

VIEW_MAGIC = b"MVv1"
HEXADECIMAL = re.compile(r"(?:[0-9a-fA-F]{2})+")

cdef object OURS = object()  # States and views are made here, and nowhere else.


cdef class Game:
    """A game: makes matches, reads views and records, plays in bulk."""

    def __cinit__(self, plugin):
        self._plugin = plugin
        self.known_rules = {}
        self.made = weakref.WeakKeyDictionary()
        self.engine = checked_engine(plugin)

    @property
    def plugin(self):
        """The Engine the game was made of: its options, titles and texts."""
        return self._plugin

    @property
    def name(self):
        """The name by which `load` finds the game, as in records and views."""
        return self._plugin.name

    @property
    def players(self):
        """All numbers of players that can play, ascending."""
        return self._plugin.players

    @property
    def rules_version(self):
        """A number that is raised when records would replay differently; `replay` takes records of this one alone."""
        return self.engine.rules_version

    @property
    def is_cooperative(self):
        """Whether all seats win or lose together."""
        return bool(self.engine.flags & MACHIAVEL_COOPERATIVE)

    def has(self, function):
        """Whether the engine has an optional function: `weights`, `likelihood`, `metrics` or `evaluate`.

        Raises KeyError for any other name.
        """
        optional = {
            "weights": self.engine.weights is not NULL,
            "likelihood": self.engine.likelihood is not NULL,
            "metrics": self.engine.metrics is not NULL,
            "evaluate": self.engine.evaluate is not NULL,
        }
        return optional[function]

    def __repr__(self):
        return f"<game {self.name}>"

    def make_rules(self, players, **options):
        """The rules of a match for so many players; options left out take their defaults.

        The same options give the same object again, for as long as it is kept; a Path gives a new one. Raises BadOption or
        BadDeck, and IncompatibleEngine where the engine makes rules that break its contract.
        """
        if isinstance(players, bool) or not isinstance(players, int) or players not in self._plugin.players:
            raise BadOption("players", players, number_range(self._plugin.players))
        known = {option.name for option in self._plugin.options}
        for option in options:
            if option not in known:
                raise BadOption(option, options[option], f"one of these options: {', '.join(sorted(known))}")
        try:
            key = json.dumps([players, options], sort_keys=True)
        except (TypeError, ValueError):  # a path, perhaps: what it names may change
            key = None
        known = self.known_rules.pop(key, None)
        if known is not None:
            self.known_rules[key] = known  # what was asked for last stays longest
            return known
        rules = self._plugin.make_rules(players, copy.deepcopy(options))
        if not isinstance(rules.digest, str) or not HEXADECIMAL.fullmatch(rules.digest):
            expected = "pairs of hexadecimal digits, such as those of a SHA-256"
            raise IncompatibleEngine(self.name, f"its rules have the digest {shown(rules.digest)}; expected {expected}")
        texts = Texts(self._plugin)
        names = texts.metrics(rules)
        if len(names) > MACHIAVEL_MAX_METRICS:
            raise IncompatibleEngine(self.name, f"{len(names)} metrics; most: {MACHIAVEL_MAX_METRICS}")
        self.made[rules] = texts
        if self.engine.seats(self.rules_pointer(rules)) != players:
            raise IncompatibleEngine(self.name, f"its rules for {players} players are for others")
        if key is not None:
            if len(self.known_rules) >= KEPT_RULES:
                self.known_rules.pop(next(iter(self.known_rules)), None)
            self.known_rules[key] = rules
        return rules

    def new(self, players, *, seed=None, layout=None, **options):
        """A new match: `make_rules`, then `deal`, with the errors of both."""
        return self.deal(self.make_rules(players, **options), seed=seed, layout=layout)

    def deal(self, rules, *, seed=None, layout=None):
        """A new match under rules that `make_rules` of this game made.

        The seed is a whole number from 0 to 2^128 - 1, or its text; the layout is luck laid out, as JSON. Without seed and layout
        the seed comes from the system; with a layout alone all luck must be laid out. Raises BadOption for the seed or for rules
        of another game, BadLayout, or MissingLuck.
        """
        if seed is None and layout is None:
            seed = secrets.randbits(128)
        if seed is not None:
            seed = checked_seed(seed)
        cdef State state = new_state(self, rules, seed)
        if layout is not None:
            state.layout = copied_layout(layout)
            state.lay(self._plugin.outcomes(rules, state.layout))
        self.engine.deal(state.rules_pointer, &state.luck, state.state)
        state.try_moves()
        state.check_luck()
        return state

    def replay(self, record):
        """The state at the end of a record: every move is checked and played again.

        Raises BadRecord, which names the field, for a record of another game, release or deck, and for one that does not replay;
        GameFault where the game's own code goes wrong.
        """
        if not isinstance(record, Record):
            raise BadRecord("record", f"is a {type(record).__name__}; Record.from_json makes one of JSON")
        if record.game != self.name:
            raise BadRecord("game", f"is a match of {record.game}, not of {self.name}")
        if record.rules_version != self.rules_version:
            raise BadRecord("rules_version", f"is {record.rules_version}; this release replays {self.rules_version}")
        options = dict(record.options)
        try:
            rules = self.make_rules(options.pop("players", None), **options)
        except (GameError, TypeError) as error:
            raise BadRecord("options", str(out_of_json(error))) from error
        if rules.digest != record.digest:
            raise BadRecord("digest", f"is {record.digest}; these options and this deck have {rules.digest}")
        if record.seed is None and record.layout is None:
            raise BadRecord("seed", "neither seed nor layout is given")
        try:
            state = self.deal(rules, seed=record.seed, layout=record.layout)
        except GameFault:
            raise
        except GameError as error:
            raise BadRecord("layout", str(error)) from error
        for number, move in enumerate(record.moves):
            try:
                state.play(move)
            except GameFault:
                raise
            except GameError as error:
                raise BadRecord(f"moves[{number}]", str(error)) from error
        return state

    def view_from_json(self, data):
        """The view of a JSON object (or its text) as `View.to_json` makes it; what a game lets a person leave out may be missing.

        Raises BadView, which names the field, for what is malformed or contradicts itself.
        """
        try:
            data = read_object(data)
        except ValueError as error:
            raise BadView("view", str(error)) from None
        fields = {"game", "rules_version", "options", "view"}
        if not fields & set(data):
            from machiavel.engines.value_places import inside_of_view
            raise BadView("view", inside_of_view(sorted(fields)))
        for field in sorted(fields ^ set(data)):
            raise BadView(field, "is missing" if field in fields else f"is unknown; fields: {', '.join(sorted(fields))}")
        if data["game"] != self.name:
            raise BadView("game", f"is {data['game']!r}; expected {self.name!r}")
        if data["rules_version"] != self.rules_version:
            raise BadView("rules_version", f"is {data['rules_version']!r}; expected {self.rules_version}")
        if not isinstance(data["options"], dict) or not isinstance(data["view"], dict):
            raise BadView("options" if isinstance(data["view"], dict) else "view", "expected an object")
        options = dict(data["options"])
        try:
            rules = self.make_rules(options.pop("players", None), **options)
        except (GameError, TypeError) as error:
            raise BadView("options", str(out_of_json(error))) from error
        view = self._plugin.view_bytes(rules, data["view"])
        return possible_view(self, rules, view, self._plugin.view_json(rules, view)["seat"], TRIALS)

    def view_from_bytes(self, rules, data):
        """The view that `View.to_bytes` wrote under the same rules, in this release.

        Raises BadView for any other bytes, and BadOption for rules of another game.
        """
        self.rules_pointer(rules)  # refuses rules that are not this game's
        head = VIEW_MAGIC + bytes.fromhex(rules.digest)[:8]
        if not isinstance(data, bytes) or len(data) != len(head) + self.engine.view_size:
            raise BadView("bytes", f"expected {len(head) + self.engine.view_size} bytes")
        if data[:len(head)] != head:
            raise BadView("bytes", "were written by another game, other rules or another release")
        body = data[len(head):]
        try:
            seen = self._plugin.view_json(rules, body)
            same = self._plugin.view_bytes(rules, seen)
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise BadView("bytes", f"hold no view: {error}") from error
        if same != body:
            raise BadView("bytes", "hold no view")
        return possible_view(self, rules, body, seen["seat"], 0)

    def move_labels(self, rules, text):
        """A move as a player reads it, by language (`en`, `fr`); whether it is legal anywhere does not matter.

        The text is one that `play` takes. Raises NotAMove, and BadOption for rules of another game.
        """
        cdef Texts texts = self.texts_of(rules)
        number = texts.numbers.get(text)
        if number is None:
            number = self._plugin.parse_move(rules, text)[0]
            if not 0 <= number < self.engine.move_limit:
                raise IncompatibleEngine(self.name, f"it reads {text!r} as move {number}; most: {self.engine.move_limit - 1}")
            texts.text(rules, number)
        return dict(texts.labels(rules, number))

    def playouts(self, count, seed=0, *, players, policies=None, until="end", **options):
        """Play so many games in bulk, without the GIL: utilities, metrics and plies as arrays of numpy.

        `policies` are `random` or `greedy`, one a seat (left out: all random); `until` is `end` or `horizon`: the end of a round.
        The same seed gives the same games. Raises BadOption or BadDeck.
        """
        from machiavel.engines._bulk import playouts

        return Playouts(*playouts(self, self.make_rules(players, **options), count, seed, policies, until))

    cdef const void *rules_pointer(self, object rules) except NULL:
        if rules not in self.made:  # all rules look alike to a capsule
            raise BadOption("rules", rules, f"rules made by Game.make_rules of {self.name}")
        return PyCapsule_GetPointer(rules.capsule, MACHIAVEL_RULES_CAPSULE)

    cdef Texts texts_of(self, object rules):
        self.rules_pointer(rules)  # refuses rules that are not this game's
        return self.made[rules]

    cdef int seat_number(self, object rules, object seat) except? -3:
        if seat is None:
            return MACHIAVEL_SPECTATOR
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < rules.players:
            raise BadOption("seat", seat, f"0 to {rules.players - 1}, or None for a spectator")
        return seat


def number_range(numbers):
    """`2 to 5`, or `4`, or `2, 4`."""
    least, most = min(numbers), max(numbers)
    if least == most or len(numbers) != most - least + 1:
        return ", ".join(map(str, numbers))
    return f"{least} to {most}"


cdef object checked_seed(object seed):
    try:
        return parse_seed(seed)
    except ValueError:
        raise BadOption("seed", seed, SEEDS) from None


cdef State new_state(Game game, object rules, object seed):
    cdef State state = State.__new__(State, OURS)
    state._game = game
    state._rules = rules
    state.rules_pointer = game.rules_pointer(rules)
    state.texts = game.made[rules]
    state.state = calloc(1, game.engine.state_size)
    if state.state is NULL:
        raise MemoryError
    state._seed = seed
    state.outcomes = []
    state.played = []
    memset(&state.luck, 0, sizeof(machiavel_luck))
    if seed is not None:
        state.luck.flags = MACHIAVEL_SEEDED
        state.luck.seed[0] = <uint64_t> (seed & 0xFFFFFFFFFFFFFFFF)
        state.luck.seed[1] = <uint64_t> (seed >> 64)
    return state


cdef View new_view(Game game, object rules, bytes data, object seat):
    cdef View view = View.__new__(View, OURS)
    view._game = game
    view._rules = rules
    view.rules_pointer = game.rules_pointer(rules)
    view.view = data
    view._seat = seat
    return view


def copied_layout(layout):
    """The caller's layout as plain JSON, for us to keep."""
    try:
        layout = json.loads(json.dumps(layout))
    except (TypeError, ValueError) as error:
        raise BadLayout("layout", f"is no JSON: {error}") from None
    if not isinstance(layout, dict):
        raise BadLayout("layout", f"is {layout!r}; expected an object")
    return layout


def unpickled_view(game, options, data, file=None):
    """The view that was pickled; its game must be installed, or its file must be there."""
    from machiavel.engines.registry import add_file, load

    loaded = load(game) if file is None else add_file(file, instead=True)
    return loaded.view_from_bytes(loaded.make_rules(options.pop("players"), **options), data)


cdef View possible_view(Game game, object rules, bytes data, object seat, int trials):
    """A view that came from outside: no world may contradict it, nor bring the game's own code to where it goes wrong.

    That many worlds are played out. Raises BadView, or GameFault for what goes wrong in matches, too.
    """
    cdef View view = new_view(game, rules, data, seat)
    cdef State world
    try:
        world = view.determinize(0)
        if world.seen_by(view._seat) != data:
            raise BadView("view", "contradicts itself: no deal gives what it shows")
        world.try_moves()
        world.check_fault()
        if game.engine.fault is not NULL:
            for number in range(trials):
                world = view.determinize(number)
                world.play_out(number)
                world.check_fault()
    except GameFault as fault:
        from machiavel.engines.met_faults import fault_of_view

        raise fault_of_view(game, rules, fault) from None
    return view


cdef class State:
    """A match as its host knows it, or a world that a view holds possible."""

    def __cinit__(self, token=None):
        if token is not OURS:
            raise TypeError("states come from Game.new, Game.replay and View.determinize")

    def __dealloc__(self):
        free(self.state)
        free(self.laid)

    @property
    def game(self):
        """The Game this is a match of."""
        return self._game

    @property
    def rules(self):
        """The Rules the match is played by."""
        return self._rules

    @property
    def seed(self):
        """The seed of the match, which foretells its luck; None where all luck is laid out. The host's, and never a player's."""
        return self._seed

    def copy(self):
        """A match of its own that stands where this one does, with the same luck ahead."""
        cdef State other = new_state(self._game, self._rules, self._seed)
        memcpy(other.state, self.state, self._game.engine.state_size)
        other.played = self.played.copy()
        other.layout = self.layout
        other.is_world = self.is_world
        other.luck = self.luck
        other.luck.laid = NULL
        other.luck.laid_count = 0
        other.lay(self.outcomes)
        return other

    cdef void lay(self, list outcomes) except *:
        """Lay out more luck; what is laid out already stays."""
        cdef list every = self.outcomes + outcomes
        cdef machiavel_outcome *laid = <machiavel_outcome *> malloc(max(1, len(every)) * sizeof(machiavel_outcome))
        if laid is NULL:
            raise MemoryError
        for number, (purpose, counter, values) in enumerate(every):
            laid[<uint32_t> number].purpose = purpose
            laid[<uint32_t> number].counter = counter
            laid[<uint32_t> number].count = len(values)
            laid[<uint32_t> number].values = <const uint8_t *> PyBytes_AsString(values)
        free(self.laid)
        self.laid = laid
        self.outcomes = every
        self.luck.laid = laid
        self.luck.laid_count = len(every)

    def lay_out(self, layout):
        """Lay out all luck of the match so far known, as JSON; what has been dealt already must be the same.

        Raises BadLayout, which names the field, for luck that is impossible or was dealt otherwise, and for a world.
        """
        if self.is_world:
            raise BadLayout("layout", "the past of a world is not known; only matches have a layout")
        layout = copied_layout(layout)
        outcomes = self._game._plugin.outcomes(self._rules, layout)
        cdef list more = []
        known = {(purpose, counter): values for purpose, counter, values in self.outcomes}
        for purpose, counter, values in outcomes:
            same = known.get((purpose, counter))
            if same is None:
                more.append((purpose, counter, values))
            elif same != values:
                raise BadLayout(self._game._plugin.outcome_name(self._rules, purpose, counter), "was laid out otherwise before")
        if len(more) + len(known) != len(outcomes):
            raise BadLayout("layout", "leaves out what was laid out before; give all of it")
        for outcome in more:
            if not self.has_come_about(self.outcomes + [outcome]):
                name = self._game._plugin.outcome_name(self._rules, outcome[0], outcome[1])
                raise BadLayout(name, "has been dealt otherwise already")
        self.lay(more)
        self.layout = layout

    cdef bint has_come_about(self, list outcomes) except -1:
        """Whether the match up to now would have been the same with this luck laid out; only dealing again can tell."""
        cdef State again = new_state(self._game, self._rules, self._seed)
        again.lay(outcomes)
        self._game.engine.deal(self.rules_pointer, &again.luck, again.state)
        for seat, move in self.played:
            if again.luck.failed or again.seat_to_move != seat or move not in again.moves_of(seat):
                return False
            self._game.engine.apply(self.rules_pointer, again.state, move, &again.luck)
        self.check_fault()
        return not again.luck.failed and again.to_bytes() == self.to_bytes()

    cdef void try_moves(self) noexcept:
        """Where the game's own code may go wrong: so that no match comes to where it goes wrong for whoever is asked."""
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef const machiavel_engine *engine = self._game.engine
        cdef uint32_t seats, seat
        cdef int mover
        if engine.fault is NULL or self.luck.failed or engine.fault(self.rules_pointer):
            return
        mover = engine.to_move(self.rules_pointer, self.state)
        if mover < 0:
            return
        seats = <uint32_t> 1 << mover
        if engine.seats_to_move is not NULL:
            seats = engine.seats_to_move(self.rules_pointer, self.state)
        for seat in range(MACHIAVEL_MAX_SEATS):
            if seats >> seat & 1:
                engine.legal_moves(self.rules_pointer, self.state, seat, moves)

    cdef void play_out(self, uint64_t chance) noexcept:
        """Random moves to the end, or to where the game's own code goes wrong."""
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef float utilities[MACHIAVEL_MAX_SEATS]
        cdef const machiavel_engine *engine = self._game.engine
        cdef machiavel_rng rng
        cdef uint32_t count
        cdef int mover = 0
        rng.state = machiavel_mix(chance)
        for _ in range(engine.max_plies(self.rules_pointer) + 1):
            mover = engine.to_move(self.rules_pointer, self.state)
            if mover < 0 or self.luck.failed:
                break
            count = engine.legal_moves(self.rules_pointer, self.state, mover, moves)
            if not count or has_fault(engine, self.rules_pointer):
                return
            engine.apply(self.rules_pointer, self.state, moves[machiavel_below(&rng, count)], &self.luck)
        if mover == MACHIAVEL_OVER:
            engine.utilities(self.rules_pointer, self.state, utilities)

    cdef int check_fault(self) except -1:
        if has_fault(self._game.engine, self.rules_pointer):
            raise self._game._plugin.fault_error(self._rules)
        return 0

    cdef int check_luck(self) except -1:
        """Raises what a call met that needed luck: a fault of the game's, or luck that was not as it was laid out."""
        if not self.luck.failed:
            return self.check_fault()
        failed = self.luck.failed
        self.luck.failed = 0
        purpose, counter = self.luck.failed_purpose, self.luck.failed_counter
        name = self._game._plugin.outcome_name(self._rules, purpose, counter)
        if failed == MACHIAVEL_LUCK_MISSING:
            raise MissingLuck(name)
        items = PyBytes_FromStringAndSize(<const char *> self.luck.expected, self.luck.expected_count)
        text = self._game._plugin.outcome_text(self._rules, purpose, items)
        raise BadLayout(name, f"does not hold what is shuffled there: {text}")

    @property
    def players(self):
        """The number of seats."""
        return self._rules.players

    @property
    def seat_to_move(self):
        """The seat whose move `play` takes next; None when the match is over."""
        cdef int seat = self._game.engine.to_move(self.rules_pointer, self.state)
        return seat if seat >= 0 else None

    @property
    def seats_to_move(self):
        """All seats whose answers do not depend on each other now, as a frozenset; empty when the match is over."""
        cdef uint32_t seats
        if self._game.engine.seats_to_move is NULL:
            seat = self.seat_to_move
            return frozenset() if seat is None else frozenset((seat,))
        seats = self._game.engine.seats_to_move(self.rules_pointer, self.state)
        return frozenset([seat for seat in range(self._rules.players) if seats >> seat & 1])

    @property
    def is_over(self):
        """Whether nobody is to move any more."""
        return self._game.engine.to_move(self.rules_pointer, self.state) == MACHIAVEL_OVER

    def moves_of(self, seat):
        """The legal moves of a seat that is asked, as the engine's numbers, ascending; raises NotToMove."""
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef uint32_t i, count = self.asked_moves(seat, moves)
        return [moves[i] for i in range(count)]

    cdef uint32_t asked_moves(self, object seat, machiavel_move *moves) except? 0:
        if self._game.engine.seats_to_move is not NULL or seat is None or seat != self.seat_to_move:
            asked = self.seats_to_move
            if seat not in asked:
                raise NotToMove(seat, sorted(asked))
        cdef uint32_t count = self._game.engine.legal_moves(self.rules_pointer, self.state, seat, moves)
        self.check_fault()
        return count

    def legal_moves(self, seat=None):
        """The legal moves of a seat that is asked, as texts, by default of the one to move; empty when the match is over.

        Raises NotToMove for a seat that is not asked, BadOption for one that there is not.
        """
        if seat is None:
            seat = self.seat_to_move
            if seat is None:
                return []
        self._game.seat_number(self._rules, seat)
        return [self.texts.text(self._rules, move) for move in self.moves_of(seat)]

    def resolve(self, text, seat=None):
        """The legal move that a text means, as the engine's number, for a seat that is asked, by default the one to move.

        Raises TypeError for what is no text, MatchOver, NotToMove, NotAMove, IllegalMove or AmbiguousMove.
        """
        if self.seat_to_move is None:
            raise MatchOver
        if seat is None:
            seat = self.seat_to_move
        elif seat not in self.seats_to_move:
            raise NotToMove(seat, sorted(self.seats_to_move))
        if not isinstance(text, str):
            raise TypeError(f"a move is a text, not {text!r}")
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef uint32_t i, count = self.asked_moves(seat, moves)
        known = self.texts.numbers.get(text)
        if known is not None:
            for i in range(count):
                if moves[i] == known:
                    return known
        candidates = self._game._plugin.parse_move(self._rules, text) if known is None else [known]
        legal = [moves[i] for i in range(count)]
        fitting = [move for move in candidates if move in legal]
        if len(fitting) == 1:
            self.texts.text(self._rules, fitting[0])  # the next time it is known
            return fitting[0]
        if fitting:
            raise AmbiguousMove(text, seat, [self.texts.text(self._rules, move) for move in fitting])
        why = self._game._plugin.why_illegal(self._rules, self.seen_by(seat), candidates[0])
        raise IllegalMove(text, seat, why, [self.texts.text(self._rules, move) for move in legal])

    def play(self, text, seat=None):
        """Play a move of the seat to move, by its text; an error changes nothing.

        Whoever plays for somebody names the seat: so the answer to a move out of turn says nothing of the hand whose turn it is.
        Raises NotToMove where another seat is named than `seat_to_move`, what `resolve` does, and MissingLuck or BadLayout where
        the move needs luck that is not, or cannot be, as it was laid out.
        """
        if seat is not None and seat != self.seat_to_move and self.seat_to_move is not None:
            raise NotToMove(seat, (self.seat_to_move,))
        cdef machiavel_move move = self.resolve(text)
        cdef size_t size = self._game.engine.state_size
        seat = self.seat_to_move
        cdef void *before = malloc(size)
        if before is NULL:
            raise MemoryError
        memcpy(before, self.state, size)
        self._game.engine.apply(self.rules_pointer, self.state, move, &self.luck)
        self.try_moves()
        if self.luck.failed or has_fault(self._game.engine, self.rules_pointer):
            memcpy(self.state, before, size)
        free(before)
        self.check_luck()
        self.played.append((seat, move))

    @property
    def moves(self):
        """The texts of all moves so far. The host's: they tell what was hidden."""
        return tuple([self.texts.text(self._rules, move) for _, move in self.played])

    def observed_moves(self, seat):
        """The texts of the moves so far as a seat, or None for a spectator, has seen them; raises BadOption."""
        self._game.seat_number(self._rules, seat)
        return tuple([self.seen_move(number, seat) for number in range(len(self.played))])

    def last_move(self, seat):
        """The last of `observed_moves`, however long the match is at the same cost; None before the first. Raises BadOption."""
        self._game.seat_number(self._rules, seat)
        return self.seen_move(len(self.played) - 1, seat) if self.played else None

    def last_move_labels(self, seat):
        """`last_move` as a player reads it, by language (`en`, `fr`); None before the first. Raises BadOption."""
        self._game.seat_number(self._rules, seat)
        if not self.played:
            return None
        mover, move = self.played[len(self.played) - 1]
        return dict(self.texts.labels(self._rules, move) if mover == seat else self.texts.public_labels(self._rules, move))

    cdef str seen_move(self, int number, object seat):
        mover, move = self.played[number]
        return self.texts.text(self._rules, move) if mover == seat else self.texts.public(self._rules, move)

    @property
    def utilities(self):
        """What each seat won, from 0 to 1; k winners have 1/k each. Raises MatchNotOver."""
        cdef float utilities[MACHIAVEL_MAX_SEATS]
        if not self.is_over:
            raise MatchNotOver
        self._game.engine.utilities(self.rules_pointer, self.state, utilities)
        self.check_fault()
        return tuple([utilities[seat] for seat in range(self._rules.players)])

    @property
    def metrics(self):
        """The engine's named quantities since the deal, as `Engine.metrics` lists them; empty where it has none.

        Numbers in the unit of each quantity. The host's: they may tell what is hidden.
        """
        cdef float metrics[MACHIAVEL_MAX_METRICS]
        if self._game.engine.metrics is NULL:
            return {}
        self._game.engine.metrics(self.rules_pointer, NULL, self.state, metrics)
        self.check_fault()
        return {name: metrics[<uint32_t> i] for i, name in enumerate(self.texts.metrics(self._rules))}

    def weights(self):
        """The engine's rule of thumb: how much each legal move of the seat to move weighs, above 0, by text.

        All 1 where the engine has none; empty when the match is over.
        """
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef float weights[MACHIAVEL_MAX_MOVES]
        cdef uint32_t i, count
        seat = self.seat_to_move
        if seat is None:
            return {}
        count = self._game.engine.legal_moves(self.rules_pointer, self.state, seat, moves)
        for i in range(count):
            weights[i] = 1
        if self._game.engine.weights is not NULL:
            self._game.engine.weights(self.rules_pointer, self.state, moves, count, weights)
        self.check_fault()
        return {self.texts.text(self._rules, moves[i]): weights[i] for i in range(count)}

    def seen_by(self, seat):
        """The bare bytes of the view of a seat, or None for a spectator, for this release and these rules; raises BadOption."""
        cdef int number = self._game.seat_number(self._rules, seat)
        cdef bytes view = PyBytes_FromStringAndSize(NULL, self._game.engine.view_size)
        self._game.engine.view(self.rules_pointer, self.state, number, PyBytes_AsString(view))
        return view

    def view(self, seat=None):
        """What a seat may see, or None for a spectator; raises BadOption for a seat that there is not."""
        cdef int number = self._game.seat_number(self._rules, seat)
        return new_view(self._game, self._rules, self.seen_by(seat), None if number == MACHIAVEL_SPECTATOR else number)

    def view_key(self, seat):
        """A hash, of 64 bits, of the ply, the mover and what a seat sees; equal for equal views. Raises BadOption."""
        return self._game.engine.view_key(self.rules_pointer, self.state, self._game.seat_number(self._rules, seat))

    def truth(self):
        """All there is to know, as JSON: the host's, and never a player's."""
        return self._game._plugin.truth_json(self._rules, self.seen_by(None), self.to_bytes())

    def to_bytes(self):
        """The bare bytes of the state; they mean something to this release and these rules only. Keep records instead."""
        return PyBytes_FromStringAndSize(<const char *> self.state, self._game.engine.state_size)

    def record(self):
        """All that replays the match, as a Record of its own. The host's, and never a player's; raises BadRecord for a world."""
        if self.is_world:
            raise BadRecord("moves", "the past of a world is not known; only matches have a record")
        options = copy.deepcopy(dict(self._rules.options))
        return Record(self._game.name, self._game.rules_version, self._rules.digest, options, self._seed, self.layout, self.moves)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        raise TypeError("states are not pickled; keep their records, or pickle views")

    def __repr__(self):
        return f"<state of {self._game.name}, {self._rules.players} players, {len(self.played)} moves>"


cdef class View:
    """What one seat sees of a match, or a spectator (`seat` is None)."""

    def __cinit__(self, token=None):
        if token is not OURS:
            raise TypeError("views come from State.view, Game.view_from_json and Game.view_from_bytes")

    @property
    def game(self):
        """The Game this is a view of."""
        return self._game

    @property
    def rules(self):
        """The Rules the match is played by."""
        return self._rules

    @property
    def seat(self):
        """The seat that sees it; None for a spectator."""
        return self._seat

    def determinize(self, seed):
        """A world: a state this seat must hold possible, drawn as if every hidden move had been uniform.

        Its later luck comes from the seed, too: a whole number from 0 to 2^128 - 1. Raises BadOption for any other.
        """
        seed = checked_seed(seed)
        cdef State world = new_state(self._game, self._rules, seed)
        cdef machiavel_rng rng
        rng.state = machiavel_mix(world.luck.seed[0] ^ machiavel_mix(world.luck.seed[1] + 1))
        world.is_world = True
        cdef const machiavel_engine *engine = self._game.engine
        cdef const void *rules = self.rules_pointer
        cdef const char *view = PyBytes_AsString(self.view)
        with nogil:  # a view with many clues may take milliseconds
            engine.determinize(rules, view, &rng, world.state)
        world.check_fault()
        return world

    @property
    def players(self):
        """The number of seats."""
        return self._rules.players

    @property
    def seats_to_move(self):
        """All seats that are asked now, as a frozenset; empty when the match is over."""
        return self.determinize(0).seats_to_move

    @property
    def is_over(self):
        """Whether nobody is to move any more."""
        return self.determinize(0).is_over

    def legal_moves(self):
        """The legal moves of this view's seat, as texts; raises NotToMove where it is not asked."""
        world = self.determinize(0)
        if self._seat not in world.seats_to_move:
            raise NotToMove(self._seat, sorted(world.seats_to_move))
        return world.legal_moves(self._seat)

    def follow(self, move, seat=None, answers=None):
        """The view after a move as this view's owner saw it, or what must be asked for, as a `Followed`.

        `seat` made it: the one whose move comes next, unless told otherwise. `answers` are by `ViewQuestion.place`.
        It follows from many worlds of this view: what is the same in all of them is known, the rest is asked. Raises MatchOver,
        NotToMove, NotAMove, IllegalMove, AmbiguousMove, and BadView for an answer that cannot be.
        """
        from machiavel.engines.following import follow

        return follow(self, move, seat, answers)

    def to_json(self):
        """The view as an object that `json` can write, with game, version of the rules and options; the caller's own."""
        return {
            "game": self._game.name,
            "rules_version": self._game.rules_version,
            "options": copy.deepcopy(dict(self._rules.options)),
            "view": self._game._plugin.view_json(self._rules, self.view),
        }

    def to_bytes(self):
        """The view as short bytes, for `Game.view_from_bytes` under the same rules in this release; keep JSON instead."""
        return VIEW_MAGIC + bytes.fromhex(self._rules.digest)[:8] + self.view

    def __reduce__(self):
        from machiavel.engines.registry import file_of

        file = file_of(self._game.name)
        beside = () if file is None else (str(file),)
        return unpickled_view, (self._game.name, dict(self._rules.options), self.to_bytes(), *beside)

    def __eq__(self, other):
        if not isinstance(other, View):
            return NotImplemented
        return self._rules.digest == other.rules.digest and self.to_bytes() == other.to_bytes()

    def __hash__(self):
        return hash(self.to_bytes())

    def __repr__(self):
        who = "spectator" if self._seat is None else f"seat {self._seat}"
        return f"<view of {self._game.name} for {who}>"
