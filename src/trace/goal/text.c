/* The text form of GOAL. A statement is a line; braces may stand beside one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/goal/schedule.h"

#include "base/memory.h"
#include "trace/goal/labels.h"
#include "trace/record/lines.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFER = 64 * 1024, SHOWN = 40 };

struct text {
    struct goal_schedule *schedule;
    struct goal_labels labels;
    struct lines lines;
    const char *at;   /* what comes next in the line */
    const char *end;  /* of the line, a '\n' */
    const char *word; /* the latest word that was found, of the present line; or NULL */
    size_t word_length;
    bool in_rank, in_comment;
    bool is_known; /* num_ranks has come, so that messages may quote what is wrong: else it may be no schedule */
    struct sim_error *error;
};

/* --- words and numbers --- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static void skip_blanks(struct text *self)
{
    while (self->at < self->end && is_blank(*self->at))
        self->at++;
}

static int fail_expected(const struct text *self, const char *expected)
{
    int length = 0;
    while (length < SHOWN && self->at + length < self->end && self->at[length] != '\r' && self->at[length] != '\0')
        length++;
    if (length == 0)
        return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, (long)self->lines.line,
                             "the line ends where %s is expected", expected);
    if (!self->is_known)
        return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, (long)self->lines.line,
                             "something else found where %s is expected", expected);
    return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, (long)self->lines.line,
                         "'%.*s' found where %s is expected", length, self->at, expected);
}

/* The length of the word that comes next: a letter, then letters, digits and '_'. */
static size_t word_length(struct text *self)
{
    skip_blanks(self);
    if (self->word == self->at)
        return self->word_length;
    const char *p = self->at;
    if (p < self->end && is_letter(*p))
        for (p++; p < self->end && (is_digit(*p) || is_letter(*p) || *p == '_'); p++)
            ;
    self->word = self->at;
    self->word_length = (size_t)(p - self->at);
    return self->word_length;
}

static inline bool take_word(struct text *self, const char *word)
{
    size_t length = word_length(self);
    if (length != strlen(word) || memcmp(self->at, word, length) != 0)
        return false;
    self->at += length;
    return true;
}

static bool take_character(struct text *self, char c)
{
    skip_blanks(self);
    if (self->at == self->end || *self->at != c)
        return false;
    self->at++;
    return true;
}

/* A whole number that is not negative; one that is too large for 63 bits is INT64_MAX. *low, unless NULL, are its low
 * 32 bits in any case. */
static int take_number(struct text *self, int64_t *number, uint32_t *low, const char *what)
{
    uint64_t sum = 0;
    bool fits = true;
    skip_blanks(self);
    if (self->at == self->end || !is_digit(*self->at))
        return fail_expected(self, what);
    for (; self->at < self->end && is_digit(*self->at); self->at++) {
        fits = fits && sum <= (INT64_MAX - 9) / 10;
        sum = sum * 10 + (uint64_t)(*self->at - '0');
    }
    *number = fits ? (int64_t)sum : INT64_MAX;
    if (low != NULL)
        *low = (uint32_t)sum;
    return 0;
}

/* "-1". */
static bool take_any(struct text *self)
{
    skip_blanks(self);
    if (self->end - self->at < 2 || self->at[0] != '-' || self->at[1] != '1')
        return false;
    self->at += 2;
    return true;
}

/* A rank, or -1. */
static int take_peer(struct text *self, uint32_t *peer)
{
    int64_t number;
    *peer = GOAL_ANY;
    if (take_any(self))
        return 0;
    if (take_number(self, &number, NULL, "a rank") != 0)
        return -1;
    *peer = number < GOAL_ANY ? (uint32_t)number : GOAL_ANY - 1;
    return 0;
}

/* --- operations --- */

static int take_tag(struct text *self, struct goal_op *op)
{
    int64_t number;
    op->tag = GOAL_ANY;
    return take_any(self) ? 0 : take_number(self, &number, &op->tag, "a tag");
}

static int take_small(struct text *self, uint8_t *value, const char *what)
{
    int64_t number;
    if (take_number(self, &number, NULL, what) != 0)
        return -1;
    if (number > UINT8_MAX)
        return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, (long)self->lines.line,
                             "%s of %" PRId64 "; 0 to %d are allowed", what, number, UINT8_MAX);
    *value = (uint8_t)number;
    return 0;
}

static int take_options(struct text *self, struct goal_op *op)
{
    int status = 0;
    while (status == 0) {
        if (op->kind != GOAL_CALC && take_word(self, "tag"))
            status = take_tag(self, op);
        else if (take_word(self, "cpu"))
            status = take_small(self, &op->cpu, "a cpu");
        else if (take_word(self, "nic"))
            status = take_small(self, &op->nic, "a nic");
        else
            break;
    }
    return status;
}

static int take_message(struct text *self, struct goal_op *op)
{
    bool sends = op->kind == GOAL_SEND;
    if (take_number(self, &op->amount, NULL, "a number of bytes, such as 8b,") != 0)
        return -1;
    if (!take_word(self, "b"))
        return fail_expected(self, "'b', for bytes,");
    if (!take_word(self, sends ? "to" : "from"))
        return fail_expected(self, sends ? "'to'" : "'from'");
    return take_peer(self, &op->peer);
}

/* The operation, if one comes: 1, or 0 if none does, or -1. */
static int take_operation(struct text *self)
{
    struct goal_op op = {.position = self->lines.line};
    if (word_length(self) != strlen("send")) /* as long as the others */
        return 0;
    op.kind = take_word(self, "send") ? GOAL_SEND : take_word(self, "recv") ? GOAL_RECV : GOAL_CALC;
    if (op.kind == GOAL_CALC && !take_word(self, "calc"))
        return 0;
    int status = op.kind == GOAL_CALC ? take_number(self, &op.amount, NULL, "a time in ns") : take_message(self, &op);
    if (status == 0)
        status = take_options(self, &op);
    if (status == 0)
        status = goal_schedule_add(self->schedule, &op, self->error);
    return status == 0 ? 1 : -1;
}

/* --- labels --- */

static int find_label(struct text *self, uint32_t *op, const char *label, size_t length)
{
    if (goal_labels_find(&self->labels, label, length, op))
        return 0;
    return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, (long)self->lines.line,
                         "there is no operation with the label '%.*s' before this line in rank %d",
                         length < SHOWN ? (int)length : SHOWN, label, self->schedule->graph.rank);
}

static int take_dependency(struct text *self, const char *label, size_t length)
{
    struct goal_edge edge = {.start = take_word(self, "irequires")};
    if (!edge.start && !take_word(self, "requires"))
        return fail_expected(self, "':', 'requires' or 'irequires'");
    size_t other = word_length(self);
    if (other == 0)
        return fail_expected(self, "a label");
    if (find_label(self, &edge.after, label, length) != 0 || find_label(self, &edge.before, self->at, other) != 0)
        return -1;
    self->at += other;
    struct goal_graph *graph = &self->schedule->graph;
    if (graph->n_edges >= GOAL_MAX_OPS)
        return goal_fail(self->error, graph, self->lines.line, "more than %zu dependencies in a rank", GOAL_MAX_OPS);
    goal_graph_add_edge(graph, edge);
    return 0;
}

static int take_labelled(struct text *self, const char *label, size_t length)
{
    if (!take_character(self, ':'))
        return take_dependency(self, label, length);
    uint32_t op = (uint32_t)self->schedule->graph.n_ops;
    int status = take_operation(self);
    if (status == 0)
        return fail_expected(self, "'calc', 'send' or 'recv'");
    if (status == 1 && !goal_labels_add(&self->labels, label, length, op))
        return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, (long)self->lines.line,
                             "a second operation with the label '%.*s' in rank %d",
                             length < SHOWN ? (int)length : SHOWN, label, self->schedule->graph.rank);
    return status == 1 ? 0 : -1;
}

/* --- lines --- */

/* Pass over blanks and comments. Return true if the line has more. */
static bool has_more(struct text *self)
{
    for (;;) {
        if (!self->in_comment)
            skip_blanks(self);
        if (self->at == self->end)
            return false;
        bool pair = self->end - self->at >= 2;
        if (self->in_comment) {
            self->in_comment = !(pair && self->at[0] == '*' && self->at[1] == '/');
            self->at += self->in_comment ? 1 : 2;
        } else if (pair && self->at[0] == '/' && self->at[1] == '/')
            self->at = self->end;
        else if (pair && self->at[0] == '/' && self->at[1] == '*') {
            self->in_comment = true;
            self->at += 2;
        } else
            return true;
    }
}

static int take_rank(struct text *self)
{
    int64_t rank;
    if (take_number(self, &rank, NULL, "the number of a rank") != 0)
        return -1;
    if (!take_character(self, '{'))
        return fail_expected(self, "'{'");
    self->in_rank = true;
    return goal_schedule_begin(self->schedule, rank, (long)self->lines.line, self->error);
}

static int take_outside(struct text *self)
{
    int64_t n_ranks;
    if (take_word(self, "rank"))
        return take_rank(self);
    if (!take_word(self, "num_ranks"))
        return fail_expected(self, self->schedule->file.n_ranks > 0 ? "'rank'" : "'num_ranks'");
    self->is_known = true;
    if (take_number(self, &n_ranks, NULL, "a number of ranks") != 0)
        return -1;
    return goal_schedule_set_ranks(self->schedule, n_ranks, (long)self->lines.line, self->error);
}

static int take_inside(struct text *self)
{
    int status = 0;
    if (take_character(self, '}')) {
        self->in_rank = false;
        goal_labels_dispose(&self->labels);
        return goal_schedule_end(self->schedule, self->error);
    }
    if ((status = take_operation(self)) == 0) {
        size_t length = word_length(self);
        const char *label = self->at;
        if (length == 0)
            return fail_expected(self, "'calc', 'send', 'recv', a label or '}'");
        self->at += length;
        status = take_labelled(self, label, length);
    }
    if (status < 0)
        return -1;
    return has_more(self) ? fail_expected(self, "the end of the line") : 0;
}

static int take_line(struct text *self)
{
    int status = 0;
    self->word = NULL;
    while (status == 0 && has_more(self))
        status = self->in_rank ? take_inside(self) : take_outside(self);
    return status;
}

static int check_end(const struct text *self)
{
    if (self->in_comment)
        return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, 0, "ends within a comment");
    if (self->in_rank)
        return sim_error_set(self->error, SIM_BAD_INPUT, self->lines.file, 0, "ends within rank %d, without a '}'",
                             self->schedule->graph.rank);
    return 0;
}

int goal_read_text(struct goal_schedule *schedule, int descriptor, int64_t size, struct sim_error *error)
{
    struct text self = {.schedule = schedule, .error = error};
    int status;
    lines_init(&self.lines, schedule->file.name, descriptor, BUFFER);
    lines_begin(&self.lines, &(struct lines_part){0, size, 1});
    while ((status = lines_next(&self.lines, &self.at, &self.end, error)) == 1)
        if ((status = take_line(&self)) != 0)
            break;
    if (status == 0)
        status = check_end(&self);
    lines_dispose(&self.lines);
    goal_labels_dispose(&self.labels);
    return status;
}
