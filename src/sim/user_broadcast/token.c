/* The words of a line, what is wrong with them, and the names that they have set.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/user_broadcast/internal.h"

#include <stdio.h>
#include <string.h>

/* --- tokens --- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

void user_broadcast_next_token(struct user_broadcast_parser *parser)
{
    static const char pairs[][3] = {"->", "==", "!=", "<=", ">="};
    const char *at = parser->at, *end = parser->end;
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    if (at < end && *at == '#')
        at = end;
    const char *start = at;
    if (at < end && (is_letter(*at) || is_digit(*at)))
        while (at < end && (is_letter(*at) || is_digit(*at)))
            at++;
    else if (at < end)
        at++;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (end - start >= 2 && memcmp(start, pairs[i], 2) == 0)
            at = start + 2;
    parser->token = (struct user_broadcast_token){start, (size_t)(at - start)};
    parser->at = at;
}

bool user_broadcast_token_is(const struct user_broadcast_parser *parser, const char *text)
{
    return strlen(text) == parser->token.length && memcmp(parser->token.text, text, parser->token.length) == 0;
}

bool user_broadcast_token_is_name(const struct user_broadcast_parser *parser)
{
    return parser->token.length > 0 && is_letter(*parser->token.text);
}

int user_broadcast_fail(const struct user_broadcast_parser *parser, const char *why)
{
    return sim_error_set(parser->error, SIM_BAD_INPUT, parser->lines->label, parser->line, "%s", why);
}

int user_broadcast_refuse(const struct user_broadcast_parser *parser, const char *allowed)
{
    const struct user_broadcast_token *token = &parser->token;
    int length = token->length < 40 ? (int)token->length : 40;
    const unsigned char *text = (const unsigned char *)token->text;
    char found[80] = "the end of the line";
    if (length > 0 && (*text < 0x20 || *text >= 0x7f))
        snprintf(found, sizeof found, "a character outside ASCII");
    else if (length > 0 && (parser->is_shown || (!is_letter(*token->text) && !is_digit(*token->text))))
        snprintf(found, sizeof found, "'%.*s'", length, token->text);
    else if (length > 0)
        snprintf(found, sizeof found, "something else");
    return sim_error_set(parser->error, SIM_BAD_INPUT, parser->lines->label, parser->line, "%s found; must be %s",
                         found, allowed);
}

/* --- names --- */

int user_broadcast_add_variable(struct user_broadcast_parser *parser, const char *name, size_t length)
{
    struct user_broadcast_lines *lines = parser->lines;
    if (length >= OWN_MAX_NAME)
        return user_broadcast_fail(parser, "a name has at most 31 letters");
    if (lines->n_variables == OWN_MAX_VARIABLES)
        return user_broadcast_fail(parser, "too many names and loops; at most 200 are allowed");
    memcpy(lines->names[lines->n_variables], name, length);
    lines->names[lines->n_variables][length] = '\0';
    return lines->n_variables++;
}

int user_broadcast_variable(struct user_broadcast_parser *parser, bool is_set)
{
    const struct user_broadcast_lines *lines = parser->lines;
    for (int i = 0; i < lines->n_variables; i++)
        if (user_broadcast_token_is(parser, lines->names[i]) && parser->token.length > 0)
            return i;
    if (is_set)
        return user_broadcast_add_variable(parser, parser->token.text, parser->token.length);
    return user_broadcast_refuse(parser, "a name that has been set above, 'ranks' or 'segments'");
}
