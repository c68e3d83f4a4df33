"""Views after a move, out of worlds of the view before it in which the move is legal."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from machiavel.engines._face cimport Game, View
from machiavel.engines._loading cimport has_fault
from machiavel.engines.abi cimport (
    MACHIAVEL_MAX_MOVES,
    MACHIAVEL_QUICK,
    MACHIAVEL_SEEDED,
    MACHIAVEL_SPECTATOR,
    machiavel_below,
    machiavel_engine,
    machiavel_luck,
    machiavel_mix,
    machiavel_move,
    machiavel_rng,
)

cdef enum:
    SLICE = 256  # worlds looked at without the GIL at a time
    MOST_SIEVES = 10  # answers that worlds are sifted by


cdef struct Search:  # what the worlds of one question share
    const machiavel_engine *engine
    const void *rules
    const char *view
    int seat
    int mover
    const uint8_t *fitting  # by move: whether it may be what was seen
    uint64_t seed


cdef struct Sieve:  # some bits of a view, and what they must be
    uint32_t answer
    const uint8_t *mask
    const uint8_t *bits
    uint16_t *at  # the bytes whose mask is not 0
    uint32_t count


cdef class Successors:
    """Plays a move as it was seen in world after world of a view, and looks at the views that come of it.

    World number n is always the same, and so is its luck. `tried` counts the worlds, `played` those in which the move is legal.
    """

    cdef View _view
    cdef Search search
    cdef uint8_t *fitting
    cdef void *state
    cdef uint8_t *views
    cdef uint16_t *at  # by sieve, places of bytes
    cdef uint8_t *met  # by byte of a view, which values it has had, as bits
    cdef readonly uint32_t tried
    cdef readonly uint32_t played
    cdef readonly dict found  # views after the move, as bytes, each with how often it came

    def __cinit__(self, View view, uint32_t mover, moves, uint64_t seed):
        """`moves` are the numbers of those that may have been seen."""
        cdef Game game = view._game
        cdef const machiavel_engine *engine = game.engine
        self._view = view
        self.fitting = <uint8_t *> calloc(engine.move_limit, 1)
        self.state = calloc(1, engine.state_size)
        self.views = <uint8_t *> calloc(SLICE, engine.view_size)
        self.met = <uint8_t *> calloc(engine.view_size, 32)
        self.at = <uint16_t *> calloc(MOST_SIEVES * 8, engine.view_size * sizeof(uint16_t))
        if self.at is NULL or self.fitting is NULL or self.state is NULL or self.views is NULL or self.met is NULL:
            raise MemoryError
        for move in moves:
            self.fitting[<uint32_t> move] = 1
        self.search.engine = engine
        self.search.rules = view.rules_pointer
        self.search.view = PyBytes_AsString(view.view)
        self.search.seat = MACHIAVEL_SPECTATOR if view._seat is None else view._seat
        self.search.mover = mover
        self.search.fitting = self.fitting
        self.search.seed = seed
        self.found = {}

    def __dealloc__(self):
        free(self.fitting)
        free(self.state)
        free(self.views)
        free(self.met)
        free(self.at)

    @property
    def view_size(self):
        """The bytes of a view."""
        return self.search.engine.view_size

    def look(self, uint32_t count, uint32_t keep):
        """Looks at that many worlds more, and keeps as many different views after the move.

        Beyond those only views are kept that have a byte which none before has had: no difference is forgotten. Raises what the
        game's own code met.
        """
        cdef uint32_t number, some, size = self.search.engine.view_size
        cdef int fitting
        while count:
            some = min(count, <uint32_t> SLICE)
            fitting = self.slice_of(some)
            for number in range(<uint32_t> fitting):
                is_new = self.has_news(self.views + number * size)
                after = PyBytes_FromStringAndSize(<const char *> self.views + number * size, size)
                times = self.found.get(after)
                if times is not None:
                    self.found[after] = times + 1
                elif is_new or len(self.found) < keep:
                    self.found[after] = 1
            count -= some

    def sift(self, uint32_t count, list sieves, dict kept, uint32_t keep):
        """Looks at that many worlds more, and sorts the views after the move by which answers they fit.

        A sieve is (answer, mask, bits): a view fits where it has these bits under the mask of one sieve of that answer. `kept`
        has views by the answers they fit, as bits, so many of each.
        """
        cdef Sieve parts[MOST_SIEVES * 8]
        cdef uint16_t[1 << MOST_SIEVES] room
        cdef uint32_t number, some, fits, each = len(sieves), size = self.search.engine.view_size
        cdef int fitting
        if each > MOST_SIEVES * 8 or any(answer >= MOST_SIEVES for answer, _, _ in sieves):
            raise ValueError("too many sieves")
        for number, (answer, mask, bits) in enumerate(sieves):
            if len(mask) != size or len(bits) != size:
                raise ValueError("a sieve is as long as a view")
            parts[number].answer = answer
            parts[number].mask = <const uint8_t *> PyBytes_AsString(mask)
            parts[number].bits = <const uint8_t *> PyBytes_AsString(bits)
            parts[number].at = self.at + number * size
            parts[number].count = 0
            for some in range(size):
                if parts[number].mask[some]:
                    parts[number].at[parts[number].count] = <uint16_t> some
                    parts[number].count += 1
        for number in range(1 << MOST_SIEVES):
            room[number] = keep
        for answers, views in kept.items():
            room[<uint32_t> answers] = keep - min(keep, <uint32_t> len(views))
        while count:
            some = min(count, <uint32_t> SLICE)
            fitting = self.slice_of(some)
            for number in range(<uint32_t> fitting):
                fits = fitted(parts, each, self.views + number * size)
                if fits and room[fits]:
                    room[fits] -= 1
                    after = PyBytes_FromStringAndSize(<const char *> self.views + number * size, size)
                    kept.setdefault(fits, []).append(after)
            count -= some

    cdef int slice_of(self, uint32_t count) except -1:
        """Fills `views` from that many worlds more; returns how many there are."""
        cdef int fitting
        cdef uint32_t first = self.tried
        with nogil:
            fitting = look_at(&self.search, self.state, self.views, first, count)
        if fitting < 0:
            raise self._view._game._plugin.fault_error(self._view._rules)
        self.tried += count
        self.played += <uint32_t> fitting
        return fitting

    cdef bint has_news(self, const uint8_t *view) noexcept:
        """Whether a byte of it is one that none before has had there; from then on it is known."""
        cdef uint32_t i
        cdef uint8_t *met = self.met
        cdef bint is_new = False
        for i in range(self.search.engine.view_size):
            if not met[32 * i + (view[i] >> 3)] >> (view[i] & 7) & 1:
                met[32 * i + (view[i] >> 3)] |= 1 << (view[i] & 7)
                is_new = True
        return is_new


def move_limit(Game game):
    """All moves of a game are below this number."""
    return game.engine.move_limit


cdef int look_at(const Search *search, void *state, uint8_t *views, uint32_t first, uint32_t count) noexcept nogil:
    """Fills in the views after the move; returns how many, or -1 where the game's own code went wrong."""
    cdef uint32_t number, played = 0
    for number in range(first, first + count):
        if play_in(search, state, number):
            search.engine.view(search.rules, state, search.seat, views + played * search.engine.view_size)
            played += 1
        if has_fault(search.engine, search.rules):
            return -1
    return played


cdef bint play_in(const Search *search, void *state, uint32_t number) noexcept nogil:
    """Makes that world and plays the move there; returns whether it is legal in it."""
    cdef machiavel_move moves[MACHIAVEL_MAX_MOVES]
    cdef machiavel_luck luck
    cdef machiavel_rng rng
    cdef uint32_t i, count, fitting = 0
    rng.state = machiavel_mix(search.seed ^ machiavel_mix(<uint64_t> number + 1))
    search.engine.determinize(search.rules, search.view, &rng, state)
    if search.engine.to_move(search.rules, state) != search.mover:
        return False
    count = search.engine.legal_moves(search.rules, state, search.mover, moves)
    for i in range(count):
        if search.fitting[moves[i]]:
            moves[fitting] = moves[i]
            fitting += 1
    if not fitting:
        return False
    memset(&luck, 0, sizeof(machiavel_luck))
    luck.flags = MACHIAVEL_SEEDED | MACHIAVEL_QUICK
    luck.seed[0] = machiavel_mix(rng.state)
    luck.seed[1] = number
    search.engine.apply(search.rules, state, moves[machiavel_below(&rng, fitting)], &luck)
    return not luck.failed


cdef uint32_t fitted(const Sieve *sieves, uint32_t count, const uint8_t *view) noexcept nogil:
    """The answers that a view fits, as bits."""
    cdef uint32_t each, i, at, result = 0
    for each in range(count):
        for i in range(sieves[each].count):
            at = sieves[each].at[i]
            if (view[at] ^ sieves[each].bits[at]) & sieves[each].mask[at]:
                break
        else:
            result |= <uint32_t> 1 << sieves[each].answer
    return result
