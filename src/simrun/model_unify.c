/* Several measured runs get the same parameters in the same order.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/model_unify.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const char *const run_mark_names[RUN_MARKS] = {"scenario",      "scenario file", "platform",
                                               "platform file", "used",          "program"};

struct names {
    const char **items;
    size_t count, capacity;
};

/* The place of a name, which is added if it is new. Those of traces are in capitals, as OTF2 keeps them. */
static size_t find_name(struct names *names, const char *name)
{
    size_t known = 0;
    while (known < names->count && strcasecmp(names->items[known], name) != 0)
        known++;
    if (known < names->count)
        return known;
    names->items = xgrow(names->items, names->count, &names->capacity, sizeof(const char *));
    names->items[names->count++] = name;
    return known;
}

static bool differs(const struct study *study, const struct run_marks *marks, int mark)
{
    for (int i = 1; i < study->n_runs; i++)
        if (strcmp(marks[i].texts[mark], marks[0].texts[mark]) != 0)
            return true;
    return false;
}

static struct names find_names(const struct study *study)
{
    struct names names = {0};
    for (int i = 0; i < study->n_runs; i++)
        for (int p = 0; p < study->runs[i].n_parameters; p++)
            find_name(&names, study->runs[i].parameters[p].name);
    return names;
}

/* The text of a parameter that is no number is told by the first run that has it. */
static void number_texts(const struct study *study, int parameter)
{
    for (int i = 0; i < study->n_runs; i++) {
        struct study_parameter *own = &study->runs[i].parameters[parameter];
        int first = 0;
        while (strcmp(study->runs[first].parameters[parameter].text, own->text) != 0)
            first++;
        if (!own->is_number)
            own->number = first;
    }
}

static void add_mark(struct study *study, const struct run_marks *marks, int mark)
{
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        struct study_parameter *parameter = &run->parameters[run->n_parameters++];
        parameter->name = run_mark_names[mark];
        parameter_set_text(parameter, marks[i].texts[mark]);
    }
}

void unify_parameters(struct study *study, const struct run_marks *marks, int n_more)
{
    struct names names = find_names(study);
    size_t room = names.count + RUN_MARKS + (size_t)n_more;
    struct study_parameter *all = xcalloc(room * (size_t)study->n_runs + 1, sizeof *all);
    for (int i = 0; i < study->n_runs; i++) {
        struct study_run *run = &study->runs[i];
        struct study_parameter *own = &all[(size_t)i * room];
        for (int p = 0; p < run->n_parameters; p++)
            own[find_name(&names, run->parameters[p].name)] = run->parameters[p];
        for (size_t k = 0; k < names.count; k++) {
            own[k].name = names.items[k];
            own[k].text = own[k].text != NULL ? own[k].text : "";
        }
        run->parameters = own;
        run->n_parameters = (int)names.count;
    }
    for (int mark = 0; marks != NULL && mark < RUN_MARKS; mark++)
        if (differs(study, marks, mark))
            add_mark(study, marks, mark);
    for (int p = 0; p < study->runs[0].n_parameters; p++)
        number_texts(study, p);
    free(names.items);
}
