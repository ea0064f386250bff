/* Reads the arguments of an action, with errors that name the line.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/ti/arguments.h"

#include "trace/ti/text.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#define MAX_FLOPS 1e30

/* Bytes of an element of each datatype, by the number that SMPI gives it. */
static const uint8_t datatype_bytes[] = {8, 4,  1, 2,  8,  4, 1,  8,  1, 1,  2,  4,  8,  8,  16, 4, 1,  1,  2, 4,
                                         8, 1,  2, 4,  8,  8, 16, 32, 8, 8,  8,  16, 16, 8,  8,  8, 16, 16, 4, 4,
                                         8, 16, 8, 16, 16, 4, 2,  4,  8, 16, 32, 1,  8,  16, 32, 0, 0,  1,  8, 8};

enum { N_DATATYPES = sizeof datatype_bytes, MAX_SHOWN = 40, NO_RANK = -333, ANY_TAG = -444 };

int ti_shown_length(const char *word)
{
    ptrdiff_t length = ti_skip_word(word) - word;
    return length < MAX_SHOWN ? (int)length : MAX_SHOWN;
}

/* True if there is another word. */
bool ti_has_more(struct ti_call *call)
{
    call->at = ti_skip_blanks(call->at);
    return *call->at != '\n';
}

int ti_fail_missing(struct ti_call *call, const char *what)
{
    return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line, "%s: the line ends where it must have %s",
                         call->action, what);
}

/* The meaning that SMPI gives to the number that it writes for no rank. */
static const char *explain(const char *what, int64_t value)
{
    if (value == NO_RANK && strcmp(what, "the destination") == 0)
        return "; it stands for MPI_PROC_NULL, to which nothing is sent: without the line the trace says the same";
    return "";
}

static int fail_integer(struct ti_call *call, const char *what, int64_t low, int64_t high)
{
    int64_t value;
    const char *word = call->at, *p = word;
    const char *hint = ti_parse_integer(&value, &p) ? explain(what, value) : "";
    return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line,
                         "%s: %s '%.*s' is not a whole number within %" PRId64 " ... %" PRId64 "%s", call->action, what,
                         ti_shown_length(word), word, low, high, hint);
}

int ti_read_integer(struct ti_call *call, int64_t *value, const char *what, int64_t low, int64_t high)
{
    const char *p;
    call->at = ti_skip_blanks(call->at);
    if (*call->at == '\n')
        return ti_fail_missing(call, what);
    p = call->at;
    if (!ti_parse_integer(value, &p) || *value < low || *value > high)
        return fail_integer(call, what, low, high);
    call->at = p;
    return 0;
}

int ti_read_rank(struct ti_call *call, int32_t *rank, const char *what)
{
    int64_t value;
    if (ti_read_integer(call, &value, what, 0, call->n_ranks - 1) != 0)
        return -1;
    *rank = (int32_t)value;
    return 0;
}

/* True if the number comes next; then it is passed over. */
static bool read_number(struct ti_call *call, int64_t number)
{
    int64_t value;
    const char *p = call->at = ti_skip_blanks(call->at);
    if (*p == '\n' || !ti_parse_integer(&value, &p) || value != number)
        return false;
    call->at = p;
    return true;
}

int ti_read_source(struct ti_call *call, int32_t *rank)
{
    if (!read_number(call, NO_RANK))
        return ti_read_rank(call, rank, "the source");
    *rank = -1;
    return 0;
}

int ti_read_any_tag(struct ti_call *call, int32_t *tag, bool *any_tag)
{
    *any_tag = read_number(call, ANY_TAG);
    if (!*any_tag)
        return ti_read_tag(call, tag);
    *tag = 0;
    return 0;
}

int ti_read_tag(struct ti_call *call, int32_t *tag)
{
    int64_t value;
    if (ti_read_integer(call, &value, "the tag", 0, INT32_MAX) != 0)
        return -1;
    *tag = (int32_t)value;
    return 0;
}

/* A count may be written as 5e4, as some of SimGrid's own examples are. */
static bool read_exponent(struct ti_call *call, int64_t *count)
{
    double value;
    const char *p = call->at = ti_skip_blanks(call->at), *end = ti_skip_word(p);
    if (memchr(p, 'e', (size_t)(end - p)) == NULL || !ti_parse_real(&value, &p) || p != end ||
        value > (double)TI_MAX_COUNT || value != (double)(int64_t)value)
        return false;
    *count = (int64_t)value;
    call->at = end;
    return true;
}

int ti_read_count_from(struct ti_call *call, int64_t *count, int64_t low)
{
    return read_exponent(call, count) ? 0 : ti_read_integer(call, count, "the count", low, TI_MAX_COUNT);
}

int ti_read_count(struct ti_call *call, int64_t *count)
{
    return ti_read_count_from(call, count, 0);
}

int ti_datatype_bytes(int64_t datatype)
{
    return datatype >= 0 && datatype < N_DATATYPES ? datatype_bytes[datatype] : -1;
}

/* The number of a datatype, if the line goes on with a number; *bytes of an element. */
int ti_read_datatype(struct ti_call *call, int64_t *bytes)
{
    int64_t datatype;
    *bytes = call->default_bytes;
    if (!ti_has_more(call) || (!ti_is_digit(*call->at) && *call->at != '-'))
        return 0;
    if (ti_read_integer(call, &datatype, "the datatype", 0, N_DATATYPES - 1) != 0)
        return -1;
    *bytes = datatype_bytes[datatype];
    return 0;
}

int ti_read_datatypes(struct ti_call *call, int64_t *sent_bytes, int64_t *received_bytes)
{
    return ti_read_datatype(call, sent_bytes) == 0 && ti_read_datatype(call, received_bytes) == 0 ? 0 : -1;
}

int ti_read_flops(struct ti_call *call, double *flops)
{
    if (!ti_has_more(call))
        return ti_fail_missing(call, "the operations");
    const char *word = call->at;
    if (ti_parse_real(flops, &call->at) && *flops <= MAX_FLOPS)
        return 0;
    return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line,
                         "%s: '%.*s' is not a number of operations within 0 ... %g", call->action,
                         ti_shown_length(word), word, MAX_FLOPS);
}

/* The root, if the line goes on; else rank 0. */
int ti_read_root(struct ti_call *call)
{
    call->record->peer = 0;
    return ti_has_more(call) ? ti_read_rank(call, &call->record->peer, "the root") : 0;
}

/* True if the line ends with a word of ours, which others pass over. */
bool ti_read_word(struct ti_call *call, const char *word)
{
    size_t length = strlen(word);
    if (!ti_has_more(call) || strncmp(call->at, word, length) != 0 || ti_skip_word(call->at) != call->at + length)
        return false;
    call->at += length;
    return true;
}

int ti_read_end(struct ti_call *call, int result)
{
    if (!ti_has_more(call))
        return result;
    return sim_error_set(call->error, SIM_BAD_INPUT, call->file, call->line, "%s: '%.*s' found after its last argument",
                         call->action, ti_shown_length(call->at), call->at);
}
