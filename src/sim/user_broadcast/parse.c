/* Reads the lines of a broadcast of one's own: statement by statement, with the loops and conditions around them.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/user_broadcast/internal.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 500, MAX_LOOPS = OWN_MAX_DEPTH };

/* A loop or condition that waits for its end. */
struct block {
    enum { BLOCK_FOR, BLOCK_WHILE, BLOCK_IF, BLOCK_ELSE } kind;
    long line;
    int start;   /* where a loop goes back to */
    int pending; /* the instruction whose target the end is */
};

struct blocks {
    struct block items[MAX_LOOPS];
    int count;
};

static struct user_broadcast_instruction *add(struct user_broadcast_parser *parser, enum user_broadcast_kind kind)
{
    struct user_broadcast_lines *lines = parser->lines;
    lines->instructions =
        xgrow(lines->instructions, lines->n_instructions, &lines->instructions_capacity, sizeof *lines->instructions);
    struct user_broadcast_instruction *made = &lines->instructions[lines->n_instructions++];
    *made = (struct user_broadcast_instruction){
        .kind = (uint8_t)kind, .line = (int32_t)parser->line, .variable = -1, .a = -1, .b = -1, .c = -1, .d = -1};
    return made;
}

static int here(const struct user_broadcast_parser *parser)
{
    return (int)parser->lines->n_instructions;
}

static int open_block(struct user_broadcast_parser *parser, struct blocks *blocks, struct block block)
{
    if (blocks->count == MAX_LOOPS)
        return user_broadcast_fail(parser, "too many nested loops; at most 64 are allowed");
    block.line = parser->line;
    blocks->items[blocks->count++] = block;
    return 0;
}

static int add_set(struct user_broadcast_parser *parser, int variable, int value)
{
    struct user_broadcast_instruction *set = add(parser, USER_BROADCAST_SET);
    set->variable = variable;
    set->a = value;
    return 0;
}

/* Take the token, which must be this one. */
static int expect(struct user_broadcast_parser *parser, const char *word, const char *allowed)
{
    if (!user_broadcast_token_is(parser, word))
        return user_broadcast_refuse(parser, allowed);
    user_broadcast_next_token(parser);
    return 0;
}

static int read_condition(struct user_broadcast_parser *parser, struct blocks *blocks, struct block block)
{
    block.start = here(parser);
    block.pending = block.start;
    int condition = user_broadcast_expression(parser);
    if (condition < 0)
        return -1;
    add(parser, OWN_UNLESS)->a = condition;
    return open_block(parser, blocks, block);
}

static int read_while(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    return read_condition(parser, blocks, (struct block){.kind = BLOCK_WHILE});
}

static int read_if(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    return read_condition(parser, blocks, (struct block){.kind = BLOCK_IF});
}

/* A name that is set: not one of those that are there from the beginning. */
static int read_new_name(struct user_broadcast_parser *parser)
{
    static const char *const taken[] = {"for", "to",    "step",     "while", "if",       "else",
                                        "end", "and",   "or",       "not",   "min",      "max",
                                        "xor", "sends", "receives", "from",  "segments", "ranks"};
    if (!user_broadcast_token_is_name(parser))
        return user_broadcast_refuse(parser, "a name");
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (user_broadcast_token_is(parser, taken[i]))
            return user_broadcast_refuse(parser, "a name that is not a keyword, such as for, step or segments");
    int variable = user_broadcast_variable(parser, true);
    if (variable < 0)
        return -1;
    user_broadcast_next_token(parser);
    return variable;
}

/* for x = a to b [step c]: the end and the step are computed once. */
static int read_for(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    int from, to, step = -1, variable = read_new_name(parser);
    if (variable < 0 || expect(parser, "=", "=") != 0 || (from = user_broadcast_expression(parser)) < 0 ||
        expect(parser, "to", "to") != 0 || (to = user_broadcast_expression(parser)) < 0)
        return -1;
    if (user_broadcast_token_is(parser, "step")) {
        user_broadcast_next_token(parser);
        if ((step = user_broadcast_expression(parser)) < 0)
            return -1;
    }
    int hidden = user_broadcast_add_variable(parser, "", 0);
    if (hidden < 0 || user_broadcast_add_variable(parser, "", 0) < 0)
        return -1;
    add_set(parser, hidden, to);
    add_set(parser, hidden + 1, step);
    add_set(parser, variable, from);
    struct block block = {.kind = BLOCK_FOR, .start = here(parser), .pending = here(parser)};
    struct user_broadcast_instruction *test = add(parser, USER_BROADCAST_FOR_TEST);
    test->variable = variable;
    test->a = hidden;
    return open_block(parser, blocks, block);
}

static int read_else(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    struct block *block = blocks->count > 0 ? &blocks->items[blocks->count - 1] : NULL;
    if (block == NULL || block->kind != BLOCK_IF)
        return user_broadcast_fail(parser, "'else' without 'if'");
    int go = here(parser);
    add(parser, OWN_GO);
    parser->lines->instructions[block->pending].target = here(parser);
    block->kind = BLOCK_ELSE;
    block->pending = go;
    return 0;
}

static int read_end(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    if (blocks->count == 0)
        return user_broadcast_fail(parser, "'end' without 'for', 'while' or 'if'");
    const struct block *block = &blocks->items[--blocks->count];
    if (block->kind == BLOCK_FOR) {
        struct user_broadcast_instruction *next = add(parser, USER_BROADCAST_FOR_NEXT);
        next->variable = parser->lines->instructions[block->pending].variable;
        next->a = parser->lines->instructions[block->pending].a;
        next->target = block->start;
    } else if (block->kind == BLOCK_WHILE) {
        add(parser, OWN_GO)->target = block->start;
    }
    parser->lines->instructions[block->pending].target = here(parser);
    return 0;
}

static int read_segments(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    (void)blocks;
    int count = user_broadcast_expression(parser);
    return count < 0 ? -1 : add_set(parser, OWN_SEGMENTS, count);
}

/* ": s" or ": s to t" after a message. */
static int read_parts(struct user_broadcast_parser *parser, int *first, int *last)
{
    *first = *last = -1;
    if (!user_broadcast_token_is(parser, ":"))
        return 0;
    user_broadcast_next_token(parser);
    if ((*first = user_broadcast_expression(parser)) < 0)
        return -1;
    if (!user_broadcast_token_is(parser, "to"))
        return 0;
    user_broadcast_next_token(parser);
    return (*last = user_broadcast_expression(parser)) < 0 ? -1 : 0;
}

/* a -> b, a sends to b, a receives from b */
static int read_message(struct user_broadcast_parser *parser)
{
    static const struct {
        const char *word, *other;
        enum user_broadcast_kind kind;
    } rows[] = {{"->", NULL, OWN_PASS}, {"sends", "to", OWN_SENDS}, {"receives", "from", USER_BROADCAST_RECEIVES}};
    int a = user_broadcast_expression(parser), b, first, last;
    if (a < 0)
        return -1;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!user_broadcast_token_is(parser, rows[i].word))
            continue;
        user_broadcast_next_token(parser);
        if ((rows[i].other != NULL && expect(parser, rows[i].other, rows[i].other) != 0) ||
            (b = user_broadcast_expression(parser)) < 0 || read_parts(parser, &first, &last) != 0)
            return -1;
        struct user_broadcast_instruction *made = add(parser, rows[i].kind);
        made->a = a, made->b = b, made->c = first, made->d = last;
        return 0;
    }
    return user_broadcast_refuse(parser, "'->', 'sends to' or 'receives from'");
}

static const struct {
    const char *word;
    int (*read)(struct user_broadcast_parser *parser, struct blocks *blocks);
} statements[] = {
    {"for", read_for},   {"while", read_while}, {"if", read_if},
    {"else", read_else}, {"end", read_end},     {"segments", read_segments},
};

/* True if the line sets a name: one that is followed by '='. */
static bool is_assignment(const struct user_broadcast_parser *parser)
{
    struct user_broadcast_parser ahead = *parser;
    if (!user_broadcast_token_is_name(parser))
        return false;
    user_broadcast_next_token(&ahead);
    return user_broadcast_token_is(&ahead, "=");
}

static int read_assignment(struct user_broadcast_parser *parser)
{
    struct user_broadcast_parser name = *parser;
    user_broadcast_next_token(parser);
    user_broadcast_next_token(parser);
    int value = user_broadcast_expression(parser);
    if (value < 0)
        return -1;
    name.at = parser->at;
    int variable = read_new_name(&name);
    return variable < 0 ? -1 : add_set(parser, variable, value);
}

static int read_statement(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    if (is_assignment(parser))
        return read_assignment(parser);
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (user_broadcast_token_is(parser, statements[i].word)) {
            user_broadcast_next_token(parser);
            return statements[i].read(parser, blocks);
        }
    return read_message(parser);
}

static int read_line(struct user_broadcast_parser *parser, struct blocks *blocks)
{
    if (parser->end - parser->at > MAX_LINE)
        return user_broadcast_fail(parser, "the line is longer than 500 characters");
    user_broadcast_next_token(parser);
    if (parser->token.length == 0)
        return 0;
    if (read_statement(parser, blocks) != 0)
        return -1;
    return parser->token.length == 0 ? 0 : user_broadcast_refuse(parser, "the end of the line");
}

/* True if a line says that something is sent, as no other kind of file does. */
static bool has_messages(const char *text, size_t size)
{
    static const char *const words[] = {"->", "sends to", "receives from"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (size_t at = 0, length = strlen(words[i]); at + length <= size; at++)
            if (memcmp(text + at, words[i], length) == 0)
                return true;
    return false;
}

static int read_all(struct user_broadcast_lines *lines, const char *text, size_t size, struct sim_error *error)
{
    struct user_broadcast_parser parser = {.lines = lines, .is_shown = has_messages(text, size), .error = error};
    struct blocks blocks = {.count = 0};
    const char *at = text, *end = text + size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        parser.at = at;
        parser.end = newline != NULL ? newline : end;
        parser.line++;
        if (read_line(&parser, &blocks) != 0)
            return -1;
        at = newline != NULL ? newline + 1 : end;
    }
    if (blocks.count == 0)
        return 0;
    parser.line = blocks.items[blocks.count - 1].line;
    return user_broadcast_fail(&parser, "no 'end' for what begins here");
}

int user_broadcast_lines_read(struct user_broadcast_lines **lines, const char *text, size_t size, const char *label,
                              struct sim_error *error)
{
    if (size > USER_BROADCAST_MAX_BYTES)
        return sim_error_set(error, SIM_BAD_INPUT, label, 0,
                             "the file is larger than 64 KiB, the most that a broadcast may have");
    struct user_broadcast_lines *made = xcalloc(1, sizeof *made);
    made->label = xstrdup(label);
    strcpy(made->names[OWN_RANKS], "ranks");
    strcpy(made->names[OWN_SEGMENTS], "segments");
    made->n_variables = 2;
    if (read_all(made, text, size, error) != 0) {
        user_broadcast_lines_free(made);
        return -1;
    }
    *lines = made;
    return 0;
}

void user_broadcast_lines_free(struct user_broadcast_lines *lines)
{
    if (lines == NULL)
        return;
    free(lines->label);
    free(lines->nodes);
    free(lines->instructions);
    free(lines);
}
