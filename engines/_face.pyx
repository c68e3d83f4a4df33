"""The Python face of every engine: games, states and views, over the C contract."""

import copy
import json
import secrets
import weakref

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from machiavel.engines._loading cimport checked_engine
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
    IllegalMove,
    IncompatibleEngine,
    MatchNotOver,
    MatchOver,
    MissingLuck,
    NotToMove,
    out_of_json,
)
from machiavel.engines.playouts import Playouts
from machiavel.engines.record import SEEDS, Record, parse_seed, read_object

cdef enum:
    KEPT_RULES = 64  # rules objects a game keeps for the next match with the same options

VIEW_MAGIC = b"MVv1"

cdef object OURS = object()  # States and views are made here, and nowhere else.


cdef class Game:
    """A game: makes matches, reads views and records, plays in bulk."""

    def __cinit__(self, plugin):
        self.plugin = plugin
        self.known_rules = {}
        self.made = weakref.WeakSet()
        self.engine = checked_engine(plugin)

    @property
    def name(self):
        return self.plugin.name

    @property
    def players(self):
        return self.plugin.players

    @property
    def rules_version(self):
        return self.engine.rules_version

    @property
    def is_cooperative(self):
        return bool(self.engine.flags & MACHIAVEL_COOPERATIVE)

    def has(self, function):
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
        if isinstance(players, bool) or not isinstance(players, int) or players not in self.plugin.players:
            least, most = min(self.plugin.players), max(self.plugin.players)
            raise BadOption("players", players, f"{least} to {most}")
        known = {option.name for option in self.plugin.options}
        for option in options:
            if option not in known:
                raise BadOption(option, options[option], f"one of these options: {', '.join(sorted(known))}")
        try:
            key = json.dumps([players, options], sort_keys=True)
        except (TypeError, ValueError):  # a path, perhaps: what it names may change
            key = None
        if key in self.known_rules:
            return self.known_rules[key]
        rules = self.plugin.make_rules(players, copy.deepcopy(options))
        names = self.plugin.metrics(rules)
        if len(names) > MACHIAVEL_MAX_METRICS:
            raise IncompatibleEngine(self.name, f"{len(names)} metrics; most: {MACHIAVEL_MAX_METRICS}")
        self.made.add(rules)
        if self.engine.seats(self.rules_pointer(rules)) != players:
            raise IncompatibleEngine(self.name, f"its rules for {players} players are for others")
        if key is not None:
            if len(self.known_rules) >= KEPT_RULES:
                self.known_rules.clear()
            self.known_rules[key] = rules
        return rules

    def new(self, players, *, seed=None, layout=None, **options):
        return self.deal(self.make_rules(players, **options), seed=seed, layout=layout)

    def deal(self, rules, *, seed=None, layout=None):
        """A new match. Without seed and layout the seed comes from the system; with a layout alone all luck must be laid out."""
        if seed is None and layout is None:
            seed = secrets.randbits(128)
        if seed is not None:
            seed = checked_seed(seed)
        cdef State state = new_state(self, rules, seed)
        if layout is not None:
            state.layout = copied_layout(layout)
            state.lay(self.plugin.outcomes(rules, state.layout))
        self.engine.deal(state.rules_pointer, &state.luck, state.state)
        state.check_luck()
        return state

    def replay(self, record):
        """The state at the end of a record; raises BadRecord."""
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
        except GameError as error:
            raise BadRecord("layout", str(error)) from error
        for number, move in enumerate(record.moves):
            try:
                state.play(move)
            except GameError as error:
                raise BadRecord(f"moves[{number}]", str(error)) from error
        return state

    def view_from_json(self, data):
        """The view of a JSON object (or its text) as `View.to_json` makes it; raises BadView."""
        try:
            data = read_object(data)
        except ValueError as error:
            raise BadView("view", str(error)) from None
        fields = {"game", "rules_version", "options", "view"}
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
        return possible_view(self, rules, self.plugin.view_bytes(rules, data["view"]))

    def view_from_bytes(self, rules, data):
        """The view that `View.to_bytes` wrote under the same rules; raises BadView."""
        self.rules_pointer(rules)  # refuses rules that are not this game's
        head = VIEW_MAGIC + bytes.fromhex(rules.digest)[:8]
        if not isinstance(data, bytes) or len(data) != len(head) + self.engine.view_size:
            raise BadView("bytes", f"expected {len(head) + self.engine.view_size} bytes")
        if data[:len(head)] != head:
            raise BadView("bytes", "were written by another game, other rules or another release")
        body = data[len(head):]
        try:
            same = self.plugin.view_bytes(rules, self.plugin.view_json(rules, body))
        except (ArithmeticError, LookupError, TypeError, ValueError) as error:
            raise BadView("bytes", f"hold no view: {error}") from error
        if same != body:
            raise BadView("bytes", "hold no view")
        return possible_view(self, rules, body)

    def playouts(self, count, seed=0, *, players, policies=None, until="end", **options):
        from machiavel.engines._bulk import playouts

        return Playouts(*playouts(self, self.make_rules(players, **options), count, seed, policies, until))

    cdef const void *rules_pointer(self, object rules) except NULL:
        if rules not in self.made:  # all rules look alike to a capsule
            raise BadOption("rules", rules, f"rules made by Game.make_rules of {self.name}")
        return PyCapsule_GetPointer(rules.capsule, MACHIAVEL_RULES_CAPSULE)

    cdef int seat_number(self, object rules, object seat) except? -3:
        if seat is None:
            return MACHIAVEL_SPECTATOR
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat < rules.players:
            raise BadOption("seat", seat, f"0 to {rules.players - 1}, or None for a spectator")
        return seat


cdef object checked_seed(object seed):
    try:
        return parse_seed(seed)
    except ValueError:
        raise BadOption("seed", seed, SEEDS) from None


cdef State new_state(Game game, object rules, object seed):
    cdef State state = State.__new__(State, OURS)
    state.game = game
    state.rules = rules
    state.rules_pointer = game.rules_pointer(rules)
    state.state = calloc(1, game.engine.state_size)
    if state.state is NULL:
        raise MemoryError
    state.seed = seed
    state.outcomes = []
    state.played = []
    memset(&state.luck, 0, sizeof(machiavel_luck))
    if seed is not None:
        state.luck.flags = MACHIAVEL_SEEDED
        state.luck.seed[0] = <uint64_t> (seed & 0xFFFFFFFFFFFFFFFF)
        state.luck.seed[1] = <uint64_t> (seed >> 64)
    return state


cdef View new_view(Game game, object rules, bytes data):
    cdef View view = View.__new__(View, OURS)
    view.game = game
    view.rules = rules
    view.rules_pointer = game.rules_pointer(rules)
    view.view = data
    view.seat = game.plugin.view_json(rules, data)["seat"]
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


def unpickled_view(game, options, data):
    """The view that was pickled; its game must be installed."""
    from machiavel.engines.registry import load

    found = load(game)
    return found.view_from_bytes(found.make_rules(options.pop("players"), **options), data)


cdef View possible_view(Game game, object rules, bytes data):
    """A view that came from outside: no world may contradict it."""
    cdef View view = new_view(game, rules, data)
    if view.determinize(0).seen_by(view.seat) != data:
        raise BadView("view", "contradicts itself: no deal gives what it shows")
    return view


cdef class State:
    """A match as its host knows it, or a world that a view holds possible."""

    def __cinit__(self, token=None):
        if token is not OURS:
            raise TypeError("states come from Game.new, Game.replay and View.determinize")

    def __dealloc__(self):
        free(self.state)
        free(self.laid)

    def copy(self):
        cdef State other = new_state(self.game, self.rules, self.seed)
        memcpy(other.state, self.state, self.game.engine.state_size)
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
        """Lay out all luck of the match so far known; what has been dealt already must be the same."""
        if self.is_world:
            raise BadLayout("layout", "the past of a world is not known; only matches have a layout")
        layout = copied_layout(layout)
        outcomes = self.game.plugin.outcomes(self.rules, layout)
        cdef list more = []
        known = {(purpose, counter): values for purpose, counter, values in self.outcomes}
        for purpose, counter, values in outcomes:
            same = known.get((purpose, counter))
            if same is None:
                more.append((purpose, counter, values))
            elif same != values:
                raise BadLayout(self.game.plugin.outcome_name(self.rules, purpose, counter), "was laid out otherwise before")
        if len(more) + len(known) != len(outcomes):
            raise BadLayout("layout", "leaves out what was laid out before; give all of it")
        for outcome in more:
            if not self.has_come_about(self.outcomes + [outcome]):
                name = self.game.plugin.outcome_name(self.rules, outcome[0], outcome[1])
                raise BadLayout(name, "has been dealt otherwise already")
        self.lay(more)
        self.layout = layout

    cdef bint has_come_about(self, list outcomes) except -1:
        """Whether the match up to now would have been the same with this luck laid out; only dealing again can tell."""
        cdef State again = new_state(self.game, self.rules, self.seed)
        again.lay(outcomes)
        self.game.engine.deal(self.rules_pointer, &again.luck, again.state)
        for seat, move in self.played:
            if again.luck.failed or again.seat_to_move != seat or move not in again.moves_of(seat):
                return False
            self.game.engine.apply(self.rules_pointer, again.state, move, &again.luck)
        return not again.luck.failed and again.to_bytes() == self.to_bytes()

    cdef int check_luck(self) except -1:
        if not self.luck.failed:
            return 0
        failed = self.luck.failed
        self.luck.failed = 0
        purpose, counter = self.luck.failed_purpose, self.luck.failed_counter
        name = self.game.plugin.outcome_name(self.rules, purpose, counter)
        if failed == MACHIAVEL_LUCK_MISSING:
            raise MissingLuck(name)
        items = PyBytes_FromStringAndSize(<const char *> self.luck.expected, self.luck.expected_count)
        text = self.game.plugin.outcome_text(self.rules, purpose, items)
        raise BadLayout(name, f"does not hold what is shuffled there: {text}")

    @property
    def players(self):
        return self.rules.players

    @property
    def seat_to_move(self):
        cdef int seat = self.game.engine.to_move(self.rules_pointer, self.state)
        return seat if seat >= 0 else None

    @property
    def seats_to_move(self):
        cdef uint32_t seats
        if self.game.engine.seats_to_move is NULL:
            seat = self.seat_to_move
            return frozenset() if seat is None else frozenset((seat,))
        seats = self.game.engine.seats_to_move(self.rules_pointer, self.state)
        return frozenset([seat for seat in range(self.rules.players) if seats >> seat & 1])

    @property
    def is_over(self):
        return self.game.engine.to_move(self.rules_pointer, self.state) == MACHIAVEL_OVER

    def moves_of(self, seat):
        """The legal moves of a seat that is asked, as numbers."""
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef uint32_t i, count
        if seat not in self.seats_to_move:
            raise NotToMove(seat, sorted(self.seats_to_move))
        count = self.game.engine.legal_moves(self.rules_pointer, self.state, seat, moves)
        return [moves[i] for i in range(count)]

    def legal_moves(self, seat=None):
        if seat is None:
            seat = self.seat_to_move
            if seat is None:
                return []
        self.game.seat_number(self.rules, seat)
        return [self.game.plugin.move_text(self.rules, move) for move in self.moves_of(seat)]

    def resolve(self, text, seat=None):
        """The legal move that a text means for a seat that is asked, by default the one to move.

        Raises MatchOver, NotToMove, NotAMove, IllegalMove or AmbiguousMove.
        """
        if self.seat_to_move is None:
            raise MatchOver
        if seat is None:
            seat = self.seat_to_move
        elif seat not in self.seats_to_move:
            raise NotToMove(seat, sorted(self.seats_to_move))
        if not isinstance(text, str):
            raise TypeError(f"a move is a text, not {text!r}")
        candidates = self.game.plugin.parse_move(self.rules, text)
        legal = self.moves_of(seat)
        fitting = [move for move in candidates if move in legal]
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise AmbiguousMove(text, seat, [self.game.plugin.move_text(self.rules, move) for move in fitting])
        why = self.game.plugin.why_illegal(self.rules, self.seen_by(seat), candidates[0])
        raise IllegalMove(text, seat, why, [self.game.plugin.move_text(self.rules, move) for move in legal])

    def play(self, text, seat=None):
        """Play a move of the seat to move; an error changes nothing.

        Whoever plays for somebody names the seat: so the answer to a move out of turn says nothing of the hand whose turn it is.
        """
        if seat is not None and seat != self.seat_to_move and self.seat_to_move is not None:
            raise NotToMove(seat, (self.seat_to_move,))
        cdef machiavel_move move = self.resolve(text)
        cdef size_t size = self.game.engine.state_size
        seat = self.seat_to_move
        cdef void *before = malloc(size)
        if before is NULL:
            raise MemoryError
        memcpy(before, self.state, size)
        self.game.engine.apply(self.rules_pointer, self.state, move, &self.luck)
        if self.luck.failed:
            memcpy(self.state, before, size)
        free(before)
        self.check_luck()
        self.played.append((seat, move))

    @property
    def moves(self):
        return tuple([self.game.plugin.move_text(self.rules, move) for _, move in self.played])

    def observed_moves(self, seat):
        """The moves so far as a seat, or None for a spectator, has seen them."""
        self.game.seat_number(self.rules, seat)
        plugin = self.game.plugin
        return tuple([
            plugin.move_text(self.rules, move) if mover == seat else plugin.public_text(self.rules, move)
            for mover, move in self.played
        ])

    @property
    def utilities(self):
        cdef float utilities[MACHIAVEL_MAX_SEATS]
        if not self.is_over:
            raise MatchNotOver
        self.game.engine.utilities(self.rules_pointer, self.state, utilities)
        return tuple([utilities[seat] for seat in range(self.rules.players)])

    @property
    def metrics(self):
        cdef float metrics[MACHIAVEL_MAX_METRICS]
        if self.game.engine.metrics is NULL:
            return {}
        self.game.engine.metrics(self.rules_pointer, NULL, self.state, metrics)
        return {name: metrics[<uint32_t> i] for i, name in enumerate(self.game.plugin.metrics(self.rules))}

    def weights(self):
        """The engine's rule of thumb: how much each legal move of the seat to move weighs."""
        cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
        cdef float weights[MACHIAVEL_MAX_MOVES]
        cdef uint32_t i, count
        seat = self.seat_to_move
        if seat is None:
            return {}
        count = self.game.engine.legal_moves(self.rules_pointer, self.state, seat, moves)
        for i in range(count):
            weights[i] = 1
        if self.game.engine.weights is not NULL:
            self.game.engine.weights(self.rules_pointer, self.state, moves, count, weights)
        return {self.game.plugin.move_text(self.rules, moves[i]): weights[i] for i in range(count)}

    def seen_by(self, seat):
        """The bare bytes of a seat's view."""
        cdef int number = self.game.seat_number(self.rules, seat)
        cdef bytes view = PyBytes_FromStringAndSize(NULL, self.game.engine.view_size)
        self.game.engine.view(self.rules_pointer, self.state, number, PyBytes_AsString(view))
        return view

    def view(self, seat=None):
        """What a seat may see, or a spectator."""
        return new_view(self.game, self.rules, self.seen_by(seat))

    def view_key(self, seat):
        return self.game.engine.view_key(self.rules_pointer, self.state, self.game.seat_number(self.rules, seat))

    def truth(self):
        """All there is to know, as JSON: the host's, and never a player's."""
        return self.game.plugin.truth_json(self.rules, self.seen_by(None), self.to_bytes())

    def to_bytes(self):
        """The bare bytes of the state; they mean something to this release and these rules only. Keep records instead."""
        return PyBytes_FromStringAndSize(<const char *> self.state, self.game.engine.state_size)

    def record(self):
        if self.is_world:
            raise BadRecord("moves", "the past of a world is not known; only matches have a record")
        options = copy.deepcopy(dict(self.rules.options))
        return Record(self.game.name, self.game.rules_version, self.rules.digest, options, self.seed, self.layout, self.moves)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        raise TypeError("states are not pickled; keep their records, or pickle views")

    def __repr__(self):
        return f"<state of {self.game.name}, {self.rules.players} players, {len(self.played)} moves>"


cdef class View:
    """What one seat sees of a match, or a spectator (`seat` is None)."""

    def __cinit__(self, token=None):
        if token is not OURS:
            raise TypeError("views come from State.view, Game.view_from_json and Game.view_from_bytes")

    def determinize(self, seed):
        """A world: a state this seat must hold possible, drawn as if every hidden move had been uniform.

        Its later luck comes from the seed, too.
        """
        seed = checked_seed(seed)
        cdef State world = new_state(self.game, self.rules, seed)
        cdef machiavel_rng rng
        rng.state = machiavel_mix(world.luck.seed[0] ^ machiavel_mix(world.luck.seed[1] + 1))
        world.is_world = True
        cdef const machiavel_engine *engine = self.game.engine
        cdef const void *rules = self.rules_pointer
        cdef const char *view = PyBytes_AsString(self.view)
        with nogil:  # a view with many clues may take milliseconds
            engine.determinize(rules, view, &rng, world.state)
        return world

    @property
    def players(self):
        return self.rules.players

    @property
    def seats_to_move(self):
        return self.determinize(0).seats_to_move

    @property
    def is_over(self):
        return self.determinize(0).is_over

    def legal_moves(self):
        """The legal moves of this view's seat; raises NotToMove where it is not asked."""
        world = self.determinize(0)
        if self.seat not in world.seats_to_move:
            raise NotToMove(self.seat, sorted(world.seats_to_move))
        return world.legal_moves(self.seat)

    def to_json(self):
        return {
            "game": self.game.name,
            "rules_version": self.game.rules_version,
            "options": copy.deepcopy(dict(self.rules.options)),
            "view": self.game.plugin.view_json(self.rules, self.view),
        }

    def to_bytes(self):
        return VIEW_MAGIC + bytes.fromhex(self.rules.digest)[:8] + self.view

    def __reduce__(self):
        return unpickled_view, (self.game.name, dict(self.rules.options), self.to_bytes())

    def __eq__(self, other):
        if not isinstance(other, View):
            return NotImplemented
        return self.rules.digest == other.rules.digest and self.to_bytes() == other.to_bytes()

    def __hash__(self):
        return hash(self.to_bytes())

    def __repr__(self):
        who = "spectator" if self.seat is None else f"seat {self.seat}"
        return f"<view of {self.game.name} for {who}>"
