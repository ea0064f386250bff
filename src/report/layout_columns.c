/* Columns that are left out of a text table: those that say nothing, and those that there is no room for.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "report/layout_internal.h"

#include "base/builder.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum verdict { TELLS, IS_EMPTY, IS_CONSTANT, IS_REPEATED };

/* --- what a column says --- */

static bool is_nothing(const char *text)
{
    return strcmp(text, "") == 0 || strcmp(text, "-") == 0 || strcmp(text, ".") == 0;
}

/* "0", "+0.0 %", "0.000 us" */
static bool is_zero(const char *text)
{
    return strspn(text, "+-x 0.") >= strcspn(text, "%abcdefghijklmnopqrstuvwxyzBkMG") && strchr(text, '0') != NULL &&
           strpbrk(text, "123456789") == NULL;
}

/* True if all rows, or all that are shown, have the same text. */
static bool is_same(const struct layout *layout, size_t column, bool all_rows)
{
    const char *first = NULL;
    for (size_t row = 0; row < layout->n_rows; row++) {
        const char *text = layout_at(layout, row, column);
        if (!all_rows && !layout->is_shown[row])
            continue;
        if (first != NULL && strcmp(first, text) != 0)
            return false;
        first = text;
    }
    return true;
}

static bool equals(const struct layout *layout, size_t a, size_t b)
{
    for (size_t row = 0; row < layout->n_rows; row++)
        if (layout->is_shown[row] && strcmp(layout_at(layout, row, a), layout_at(layout, row, b)) != 0)
            return false;
    return true;
}

/* The column before `end` that says the same as `column`; n_columns: none does. */
static size_t find_equal(const struct layout *layout, size_t column, size_t end)
{
    for (size_t before = 0; before < end; before++)
        if (!layout->columns[before].is_left_out && equals(layout, before, column))
            return before;
    return layout->n_columns;
}

static size_t first_shown(const struct layout *layout)
{
    size_t row = 0;
    while (row < layout->n_rows && !layout->is_shown[row])
        row++;
    return row;
}

static size_t count_shown(const struct layout *layout)
{
    size_t count = 0;
    for (size_t row = 0; row < layout->n_rows; row++)
        count += layout->is_shown[row];
    return count;
}

/* Judge a column in the group of columns that begins at `group`. */
static enum verdict judge(const struct layout *layout, size_t column, size_t group)
{
    bool same = is_same(layout, column, false), several = count_shown(layout) > 1;
    if (same && is_nothing(layout_at(layout, first_shown(layout), column)))
        return IS_EMPTY;
    if (same && several)
        return IS_CONSTANT;
    return several && find_equal(layout, column, group) < layout->n_columns ? IS_REPEATED : TELLS;
}

/* --- the words --- */

/* "= computation" is a sum, whose words are without its sign; "overhead: idle" is read as it is. */
static const char *name_of(const struct layout_column *column)
{
    return column->head + strspn(column->head, "=+ ");
}

/* "output 0.006 s", with the unit of the head. */
static void add_constant(struct builder *words, const struct layout *layout, size_t column)
{
    const char *head = name_of(&layout->columns[column]), *unit = strstr(head, " [");
    const char *text = layout_at(layout, first_shown(layout), column);
    int length = unit != NULL ? (int)(unit - head) : (int)strlen(head);
    int unit_length = unit != NULL ? (int)strlen(unit) - 3 : (int)strlen(layout->unit);
    bool is_bare = text[0] != '\0' && text[strspn(text, "+-0123456789.")] == '\0' && unit_length > 0;
    builder_add(words, "%s%.*s %s%s%.*s", words->length > 0 ? ", " : "In all rows: ", length, head, text,
                is_bare ? " " : "", is_bare ? unit_length : 0, unit != NULL ? unit + 2 : layout->unit);
}

static void say(struct builder *words, const struct layout *layout, size_t column, size_t group, bool says_all)
{
    enum verdict verdict = judge(layout, column, group);
    if (verdict == IS_CONSTANT && is_same(layout, column, true) &&
        (says_all || !is_zero(layout_at(layout, first_shown(layout), column))))
        add_constant(words, layout, column);
    else if (verdict == IS_REPEATED && says_all)
        builder_add(words, "%s%s as %s", words->length > 0 ? ", " : "In all rows: ", name_of(&layout->columns[column]),
                    name_of(&layout->columns[find_equal(layout, column, group)]));
}

/* Pass the beginning of a group, with its name, on to the next column of it. */
static void pass_on_group(struct layout *layout, size_t from, size_t end)
{
    struct layout_column *first = &layout->columns[from], *next = &layout->columns[end];
    const char *colon = strstr(first->head, ": ");
    if (!(first->flags & LAYOUT_BEGINS) || end == layout->n_columns || (next->flags & (LAYOUT_BEGINS | LAYOUT_KEY)))
        return;
    next->flags |= LAYOUT_BEGINS;
    if (colon == NULL)
        return;
    char *head = xformat("%.*s%s", (int)(colon + 2 - first->head), first->head, next->head);
    snprintf(next->head, sizeof next->head, "%s", head);
    free(head);
}

char *layout_simplify(struct layout *layout, bool says_all)
{
    struct builder words = {0};
    size_t end;
    for (size_t group = 0; group < layout->n_columns; group = end) {
        bool tells = layout->columns[group].flags & LAYOUT_KEY;
        for (end = group + 1; end < layout->n_columns && (layout->columns[end].flags & LAYOUT_FOLLOWS);)
            end++;
        for (size_t column = group; column < end; column++)
            tells |= judge(layout, column, group) == TELLS;
        for (size_t column = group; column < end && !tells; column++) {
            say(&words, layout, column, group, says_all);
            layout->columns[column].is_left_out = true;
        }
        if (!tells)
            pass_on_group(layout, group, end);
    }
    return words.length > 0 ? builder_take(&words) : NULL;
}

/* --- room --- */

/* The last column that can be spared, of those that are beside the point or of all; n_columns: there is none. */
static size_t find_spare(const struct layout *layout, unsigned flag)
{
    for (size_t i = layout->n_columns; i-- > 0;) {
        const struct layout_column *column = &layout->columns[i];
        if (!column->is_left_out && !(column->flags & (LAYOUT_KEY | LAYOUT_FOLLOWS)) && (column->flags & flag) == flag)
            return i;
    }
    return layout->n_columns;
}

char *layout_narrow(struct layout *layout)
{
    struct builder heads = {0};
    if (layout_width_of_line(layout) > LAYOUT_WIDEST)
        layout_split_heads(layout);
    while (layout_width_of_line(layout) > LAYOUT_WIDEST) {
        size_t spare = find_spare(layout, LAYOUT_BESIDE);
        if (spare == layout->n_columns)
            spare = find_spare(layout, 0);
        if (spare == layout->n_columns)
            break;
        const struct layout_column *column = &layout->columns[spare];
        builder_add(&heads, "%s%s%s%s", heads.length > 0 ? ", " : "", name_of(column),
                    column->below[0] != '\0' && column->below[0] != '[' ? " " : "",
                    column->below[0] != '[' ? column->below : "");
        size_t end = spare;
        do
            layout->columns[end++].is_left_out = true;
        while (end < layout->n_columns && (layout->columns[end].flags & LAYOUT_FOLLOWS));
        pass_on_group(layout, spare, end);
    }
    return heads.length > 0 ? builder_take(&heads) : NULL;
}
