"""Games as lines of the journal, in bulk, and their numbers back from such lines."""

from cpython.bytes cimport PyBytes_AsString, PyBytes_FromStringAndSize
from libc.math cimport NAN, isnan
from libc.stdint cimport int64_t, uint16_t, uint32_t, uint64_t
from libc.stdio cimport snprintf
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memchr, memcmp, memcpy

cdef enum:
    NUMBER = 24  # bytes that any number takes, at most
    LABELS = 128  # bytes of all the names of a line's fields
    COMMA = 44
    ZERO = 48
    EXACT = 1 << 24  # floats below it that are whole are exactly so
    NEWLINE = 10
    LONGEST = 15  # digits before or after the point

cdef int64_t GREATEST = 10**15  # whole numbers so far, and powers of ten, are exactly doubles


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
            starts[i] = PyBytes_AsString(texts[i])
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


cdef struct Text:  # what is read
    const char *at
    const char *end


def read_lines(const unsigned char[::1] text, int64_t[::1] deals, int64_t[::1] seatings, int64_t[:, ::1] seats,
               float[:, ::1] utilities, float[:, ::1] points, uint32_t[::1] plies, uint32_t[:, ::1] faults):
    """Fills in the numbers of the games at the beginning of a text; how many.

    It ends where the lines or the room for them end, and at a line that is not just as `game_lines` writes it.
    """
    cdef int64_t count = 0, used = 0, room = deals.shape[0]
    cdef uint32_t players = seats.shape[1]
    cdef Text line
    cdef const char *begin
    cdef const char *end
    if not text.shape[0]:
        return 0
    begin = <const char *> &text[0]
    with nogil:
        while count < room:
            end = <const char *> memchr(begin + used, NEWLINE, text.shape[0] - used)
            if end is NULL:
                break
            line.at, line.end = begin + used, end
            if not read_line(&line, players, &deals[count], &seatings[count], &seats[count, 0], &utilities[count, 0],
                             &points[count, 0], &plies[count], &faults[count, 0]):
                break
            count += 1
            used = end + 1 - begin
    return count


cdef bint read_line(Text *line, uint32_t players, int64_t *deal, int64_t *seating, int64_t *seats, float *utilities,
                    float *points, uint32_t *plies, uint32_t *faults) noexcept nogil:
    """Whether it is one; what the moves are is not looked at."""
    cdef int64_t number
    cdef uint32_t i
    if not (take(line, b'{"deal":', 8) and take_whole(line, deal) and take(line, b',"seating":', 11) and take_whole(line, seating)
            and take(line, b',"seats":[', 10)):
        return False
    for i in range(players):
        if not (take_comma(line, i) and take_whole(line, &seats[i])):
            return False
    if not (take(line, b'],"utilities":', 14) and take_numbers(line, utilities, players)
            and take(line, b',"points":', 10) and take_numbers(line, points, players)
            and take(line, b',"plies":', 9) and take_whole(line, &number)):
        return False
    plies[0] = <uint32_t> number
    return (take_faults(line, faults, players) and take(line, b',"moves":[', 10)
            and line.end - line.at >= 2 and memcmp(line.end - 2, b']}', 2) == 0)


cdef bint take_faults(Text *line, uint32_t *faults, uint32_t players) noexcept nogil:
    """None, where the line does not speak of them."""
    cdef bint faulty = take(line, b',"faults":[', 11)
    cdef int64_t number = 0
    cdef uint32_t i
    for i in range(players):
        if faulty and not (take_comma(line, i) and take_whole(line, &number)):
            return False
        faults[i] = <uint32_t> number
    return not faulty or take(line, b']', 1)


cdef inline bint take(Text *line, const char *text, Py_ssize_t length) noexcept nogil:
    """Whether that comes next; if so, it is read."""
    if line.end - line.at < length or memcmp(line.at, text, length) != 0:
        return False
    line.at += length
    return True


cdef inline bint take_comma(Text *line, uint32_t before) noexcept nogil:
    return before == 0 or take(line, b',', 1)


cdef bint take_digits(Text *line, int64_t *number, uint32_t *count, int64_t most) noexcept nogil:
    """Adds one digit or more to the end of a number that may come to so much, and counts them."""
    cdef const char *begin = line.at
    while line.at < line.end and ZERO <= line.at[0] < ZERO + 10 and number[0] <= most // 10:
        number[0] = 10 * number[0] + line.at[0] - ZERO
        line.at += 1
    count[0] = <uint32_t> (line.at - begin)
    return 0 < count[0] <= LONGEST


cdef bint take_whole(Text *line, int64_t *number) noexcept nogil:
    cdef uint32_t count
    number[0] = 0
    return take_digits(line, number, &count, GREATEST)


cdef bint take_numbers(Text *line, float *numbers, uint32_t count) noexcept nogil:
    cdef uint32_t i
    if not take(line, b'[', 1):
        return False
    for i in range(count):
        if not (take_comma(line, i) and take_number(line, &numbers[i])):
            return False
    return take(line, b']', 1)


cdef bint take_number(Text *line, float *number) noexcept nogil:
    """The float that these digits tell: an exact whole number, divided once, which rounds as reading it at leisure does."""
    cdef int64_t whole = 0
    cdef double scale = 1
    cdef uint32_t count = 0
    cdef bint negative
    if take(line, b'null', 4):
        number[0] = NAN
        return True
    negative = take(line, b'-', 1)
    if not take_digits(line, &whole, &count, GREATEST):
        return False
    count = 0
    if take(line, b'.', 1) and not take_digits(line, &whole, &count, GREATEST):
        return False
    while count:
        scale *= 10
        count -= 1
    number[0] = <float> ((-whole if negative else whole) / scale)
    return True
