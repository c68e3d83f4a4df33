"""Games as lines of the ledger, in bulk: the texts of their moves are what takes time."""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.math cimport isnan
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cdef enum:
    NUMBER = 24  # bytes that any number takes, at most
    LABELS = 128  # bytes of all the names of a line's fields
    COMMA = 44
    ZERO = 48
    EXACT = 1 << 24  # floats below it that are whole are exactly so


cdef struct Line:  # where it is written
    char *at


cdef struct Games:
    uint32_t players
    const int64_t *deals
    const int64_t *seatings
    const int64_t *seats
    const float *utilities
    const float *points
    const uint32_t *plies
    const uint32_t *faults


def game_lines(const int64_t[::1] deals, const int64_t[::1] seatings, const int64_t[:, ::1] seats, const float[:, ::1] utilities,
               const float[:, ::1] points, const uint32_t[::1] plies, const uint32_t[:, ::1] faults, const uint16_t[::1] moves,
               list texts):
    """A line a game, one after the other; `moves` stand so too, and `texts` hold each move as JSON, by its number.

    The numbers of moves must lie within `texts`.
    """
    cdef Games games
    cdef int64_t count = deals.shape[0], game, used = 0
    cdef uint32_t longest = 0, i
    cdef uint64_t size = 0, capacity, needed
    cdef const char **starts
    cdef uint32_t *lengths
    cdef char *buffer
    cdef char *larger
    cdef Line line
    if not count:
        return b""
    games.players = seats.shape[1]
    games.deals, games.seatings, games.seats = &deals[0], &seatings[0], &seats[0, 0]
    games.utilities, games.points, games.plies, games.faults = &utilities[0, 0], &points[0, 0], &plies[0], &faults[0, 0]
    starts = <const char **> malloc(max(1, len(texts)) * sizeof(const char *))
    lengths = <uint32_t *> malloc(max(1, len(texts)) * sizeof(uint32_t))
    capacity = 1 << 16
    buffer = <char *> malloc(capacity)
    try:
        if starts is NULL or lengths is NULL or buffer is NULL:
            raise MemoryError
        for i in range(<uint32_t> len(texts)):
            starts[i] = PyBytes_AS_STRING(texts[i])
            lengths[i] = len(texts[i])
            longest = max(longest, lengths[i])
        for game in range(count):
            needed = size + LABELS + (4 * games.players + 3) * NUMBER + <uint64_t> plies[game] * (longest + 1)
            if needed > capacity:
                capacity = 2 * needed
                larger = <char *> realloc(buffer, capacity)
                if larger is NULL:
                    raise MemoryError
                buffer = larger
            line.at = buffer + size
            write_line(&line, &games, game, &moves[used] if plies[game] else NULL, starts, lengths)
            size = line.at - buffer
            used += plies[game]
        return PyBytes_FromStringAndSize(buffer, size)
    finally:
        free(starts)
        free(lengths)
        free(buffer)


cdef void write_line(Line *line, const Games *games, int64_t game, const uint16_t *moves, const char **starts,
                     const uint32_t *lengths) noexcept nogil:
    cdef uint32_t i, players = games.players
    cdef bint faulty = False
    put(line, b'{"deal":', 8)
    put_whole(line, games.deals[game])
    put(line, b',"seating":', 11)
    put_whole(line, games.seatings[game])
    put(line, b',"seats":[', 10)
    for i in range(players):
        put_comma(line, i)
        put_whole(line, games.seats[game * players + i])
        faulty = faulty or games.faults[game * players + i]
    put(line, b'],"utilities":', 14)
    put_numbers(line, games.utilities + game * players, players)
    put(line, b',"points":', 10)
    put_numbers(line, games.points + game * players, players)
    put(line, b',"plies":', 9)
    put_whole(line, games.plies[game])
    if faulty:
        put(line, b',"faults":[', 11)
        for i in range(players):
            put_comma(line, i)
            put_whole(line, games.faults[game * players + i])
        put(line, b']', 1)
    put(line, b',"moves":[', 10)
    for i in range(games.plies[game]):
        put_comma(line, i)
        put(line, starts[moves[i]], lengths[moves[i]])
    put(line, b']}\n', 3)


cdef inline void put(Line *line, const char *text, uint32_t length) noexcept nogil:
    memcpy(line.at, text, length)
    line.at += length


cdef inline void put_comma(Line *line, uint32_t before) noexcept nogil:
    if before:
        line.at[0] = COMMA
        line.at += 1


cdef void put_whole(Line *line, int64_t number) noexcept nogil:
    """A whole number, at least 0."""
    cdef char digits[NUMBER]
    cdef uint32_t used = 0
    while used == 0 or number:
        used += 1
        digits[NUMBER - used] = <char> (ZERO + number % 10)
        number = number // 10
    put(line, digits + NUMBER - used, used)


cdef void put_numbers(Line *line, const float *numbers, uint32_t count) noexcept nogil:
    """As many digits as it takes to read the same number again; null for what is none."""
    cdef uint32_t i
    put(line, b'[', 1)
    for i in range(count):
        put_comma(line, i)
        if isnan(numbers[i]):
            put(line, b'null', 4)
        elif 0 <= numbers[i] < EXACT and numbers[i] == <int64_t> numbers[i]:
            put_whole(line, <int64_t> numbers[i])
        else:
            line.at += snprintf(line.at, NUMBER, b"%.9g", <double> numbers[i])
    put(line, b']', 1)
