/* Parses conditions of rows.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "base/condition.h"

#include "base/units.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int condition_parse(struct condition *condition, char *text, struct sim_error *error)
{
    static const char *const ops[] = {"!=", "<=", ">=", "=", "<", ">"};
    char *at = text + strcspn(text, "!<>=");
    for (size_t i = 0; i < sizeof ops / sizeof ops[0] && at > text; i++) {
        const char *value = at + strlen(ops[i]);
        if (strncmp(at, ops[i], strlen(ops[i])) == 0 && *value != '\0' && strchr("!<>=", *value) == NULL) {
            *condition = (struct condition){.name = text, .op = ops[i], .value = value};
            *at = '\0';
            return 0;
        }
    }
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0,
                         "condition: '%.80s' is not a condition such as ranks=64, broadcast!=flat or time_s<10ms; "
                         "known between name and value: = != < <= > >=",
                         text);
}

int condition_number(double *number, const char *text, enum condition_unit unit, char *why, size_t why_size)
{
    char *end;
    int64_t value;
    *number = strtod(text, &end);
    if (end > text && *end == '\0' && strspn(text, "+-.0123456789eE") == strlen(text))
        return 0;
    if (unit == CONDITION_RATIO || strspn(text, "+-.0123456789") == 0)
        return sim_error_why(why, why_size, "'%.80s' is not a number such as %s", text,
                             unit == CONDITION_RATIO  ? "0.5"
                             : unit == CONDITION_TIME ? "0.01 or 10ms"
                                                      : "64 or 64KiB");
    if (units_parse(&value, unit == CONDITION_TIME ? QUANTITY_TIME : QUANTITY_SIZE, text, why, why_size) != 0)
        return -1;
    *number = unit == CONDITION_TIME ? units_seconds(value) : (double)value;
    return 0;
}

bool condition_is_order(const struct condition *condition)
{
    return condition->op[0] == '<' || condition->op[0] == '>';
}

bool condition_holds(const struct condition *condition, int order)
{
    const char *op = condition->op;
    return op[0] == '!'   ? order != 0
           : op[0] == '=' ? order == 0
           : op[0] == '<' ? order < 0 || (order == 0 && op[1] == '=')
                          : order > 0 || (order == 0 && op[1] == '=');
}
