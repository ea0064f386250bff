/* Files of measurements: tables, and the formats of Extra-P.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/table_kinds.h"

#include "os/kind_words.h"

bool kind_is_extrap_json(const struct file_head *head)
{
    return is_json(head) && (has(head, "\"params\"") || has(head, "\"measurements\"") || has(head, "\"callpaths\""));
}

bool kind_is_extrap(const struct file_head *head)
{
    return starts(first_line(head), "PARAMETER ");
}

/* How many tabs, semicolons and commas a line has outside of quotes; false if it has other characters than texts. */
static bool count_separators(int counts[3], const char *line)
{
    bool is_quoted = false;
    counts[0] = counts[1] = counts[2] = 0;
    for (; *line != '\0' && *line != '\n' && *line != '\r'; line++) {
        if ((unsigned char)*line < ' ' && *line != '\t')
            return false;
        is_quoted ^= *line == '"';
        counts[0] += !is_quoted && *line == '\t';
        counts[1] += !is_quoted && *line == ';';
        counts[2] += !is_quoted && *line == ',';
    }
    return true;
}

/* True if a line has separators, tabs if there are any, else semicolons, else commas, and so has the next line, if it
 * is there: whether they are as many is for the reader to say. */
static bool has_table(const char *line)
{
    int first[3], second[3];
    while (*line == '#')
        line = skip_space(line + strcspn(line, "\r\n"));
    const char *next = skip_space(line + strcspn(line, "\r\n"));
    while (*next == '#')
        next = skip_space(next + strcspn(next, "\r\n"));
    if (!count_separators(first, line) || !count_separators(second, next))
        return false;
    int separator = first[0] > 0 ? 0 : first[1] > 0 ? 1 : 2;
    return first[separator] > 0 && (second[separator] > 0 || *next == '\0');
}

bool kind_is_table(const struct file_head *head)
{
    return has_table(skip_space(head->bytes));
}

bool kind_is_marked_table(const struct file_head *head)
{
    return is_marked(head) && has_table(skip_space(skip_mark(head->bytes)));
}

/* Members of other JSON files are objects and lists; a row has numbers and texts: {"p": 4, "time_s": 1.5}. */
bool kind_is_json_table(const struct file_head *head)
{
    const char *text = skip_space(skip_mark(head->bytes));
    text = *text == '[' ? skip_space(text + 1) : text;
    text = *text == '{' ? skip_space(text + 1) : "";
    if (*text != '"')
        return false;
    const char *end = strchr(text + 1, '"');
    text = end != NULL ? skip_space(end + 1) : "";
    text = *text == ':' ? skip_space(text + 1) : "";
    text += strspn(text, "-+.0123456789eE");
    return strchr(",}", *skip_space(text)) != NULL && *skip_space(text) != '\0';
}

/* The first file in an archive of Extra-P. */
bool kind_is_experiment(const struct file_head *head)
{
    enum { NAME = 30 };
    return head->length > NAME &&
           (starts(head->bytes + NAME, "experiment.json") || starts(head->bytes + NAME, "values/"));
}
