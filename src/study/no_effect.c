/* Changes that change nothing, and why.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/no_effect.h"

#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const no_effect_reason_names[N_NO_EFFECT_REASONS] = {
    [NO_EFFECT_UNUSED] = "unused",       [NO_EFFECT_NO_MESSAGES] = "no_messages",
    [NO_EFFECT_ZERO] = "component_zero", [NO_EFFECT_UNCONTENDED] = "uncontended",
    [NO_EFFECT_OFF_PATH] = "off_path",   [NO_EFFECT_SAME_PATH] = "same_path",
    [NO_EFFECT_BALANCED] = "balanced",   [NO_EFFECT_SAME_WAYS] = "same_ways",
    [NO_EFFECT_CHOSEN] = "chosen",
};

/* --- what is equal --- */

static bool is_equal(const struct measure *a, const struct measure *b)
{
    if (a == NULL || b == NULL || a->of->type != b->of->type)
        return a == b;
    if (a->of->type != MEASURE_RATIO)
        return measure_number(a) == measure_number(b);
    return (isnan(a->ratio) && isnan(b->ratio)) || (a->ratio <= b->ratio && a->ratio >= b->ratio);
}

/* True if all measures of a kind are equal; KIND_OTHER stands for every kind, and the states of all processes. */
static bool equal_measures(const struct study_run *a, const struct study_run *b, enum measure_kind kind)
{
    const struct result *left = &a->result, *right = &b->result;
    if (kind == KIND_OTHER &&
        (left->n_processors != right->n_processors || left->n_measures != right->n_measures ||
         (left->n_processors > 0 &&
          memcmp(left->state_ps, right->state_ps, (size_t)left->n_processors * sizeof *left->state_ps) != 0)))
        return false;
    for (size_t i = 0; i < left->n_measures; i++) {
        const struct measure *measure = &left->measures[i];
        if (measure_kind(measure) == KIND_REFERENCE || (kind != KIND_OTHER && measure_kind(measure) != kind))
            continue;
        if (!is_equal(measure, result_find(right, measure->of->group, measure->of->name)))
            return false;
    }
    return true;
}

static bool same_time(const struct study_run *a, const struct study_run *b)
{
    const struct measure *left = result_get(&a->result, M_TIME), *right = result_get(&b->result, M_TIME);
    return left != NULL && right != NULL && is_equal(left, right);
}

/* --- the reason --- */

const struct measure *no_effect_component(const struct study *study, const struct study_run *run, enum subject subject)
{
    if (subject == SUBJECT_IO)
        return result_get(&run->result, M_PATH_IO);
    if (subject < SUBJECT_BROADCAST || subject > SUBJECT_BARRIER)
        return NULL;
    for (const struct phase_spec *phase = study->phases; phase != NULL && phase->name != NULL; phase++) {
        const struct measure *component = phase->subject == subject ? run_find_phase(run, phase) : NULL;
        if (component != NULL)
            return component;
    }
    return NULL;
}

static bool takes_no_time(const struct measure *component)
{
    return component != NULL && component->of->type == MEASURE_TIME && measure_number(component) == 0;
}

static enum no_effect_reason find_reason(const struct study *study, const struct study_run *a,
                                         const struct study_run *b, enum subject subject)
{
    const struct measure *component = no_effect_component(study, a, subject),
                         *other = no_effect_component(study, b, subject);
    bool network = subject == SUBJECT_NETWORK;
    if (equal_measures(a, b, KIND_OTHER))
        return run_value(a, M_MESSAGES) <= 0 ? NO_EFFECT_NO_MESSAGES
               : takes_no_time(component)    ? NO_EFFECT_ZERO
               : network                     ? NO_EFFECT_UNCONTENDED
               : subject == SUBJECT_ROUTING  ? NO_EFFECT_SAME_WAYS
                                             : NO_EFFECT_UNUSED;
    if (takes_no_time(component) && takes_no_time(other))
        return NO_EFFECT_ZERO;
    if (!equal_measures(a, b, KIND_PATH))
        return NO_EFFECT_BALANCED;
    return network ? NO_EFFECT_UNCONTENDED : component != NULL ? NO_EFFECT_SAME_PATH : NO_EFFECT_OFF_PATH;
}

/* --- classes of runs with the same time --- */

/* Runs sorted so that those that differ in one parameter only stand together, the same times beside each other. */
struct view {
    const struct study *study;
    int parameter;
};

static int compare_others(const struct view *view, int left, int right)
{
    const struct study_run *a = &view->study->runs[left], *b = &view->study->runs[right];
    for (int i = 0; i < a->n_parameters; i++)
        if (i != view->parameter && a->parameters[i].number != b->parameters[i].number)
            return a->parameters[i].number < b->parameters[i].number ? -1 : 1;
    return 0;
}

static int in_view(const void *left, const void *right, void *data)
{
    const struct view *view = data;
    int a = *(const int *)left, b = *(const int *)right, order = compare_others(view, a, b);
    double x = run_time(&view->study->runs[a]), y = run_time(&view->study->runs[b]);
    if (order == 0) /* those that a decision discards have no time, and are the last */
        order = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
    return order != 0 ? order : (a > b) - (a < b);
}

struct effects {
    struct no_effect *items;
    size_t count, capacity;
};

/* Runs of one class with the same reason and extent are one effect. */
static void add_effect(struct effects *effects, const struct no_effect *effect)
{
    for (size_t i = 0; i < effects->count; i++) {
        struct no_effect *known = &effects->items[i];
        if (known->parameter == effect->parameter && known->reason == effect->reason && known->all == effect->all) {
            known->n_settings++;
            return;
        }
    }
    effects->items = xgrow(effects->items, effects->count, &effects->capacity, sizeof *effects->items);
    effects->items[effects->count++] = *effect;
}

/* True if in run `a` the value of the parameter, `fastest`, stands for that of run `b` and for nothing else. */
static bool has_chosen(const struct study_run *a, const struct study_run *b, int parameter)
{
    size_t n_choices;
    const struct fastest_row *choices = result_fastest(&a->result, &n_choices);
    bool any = false;
    for (size_t row = 0; row < n_choices; row++) {
        if (choices[row].collective != a->parameters[parameter].subject)
            continue;
        if (strcmp(choices[row].algorithm, b->parameters[parameter].text) != 0)
            return false;
        any = true;
    }
    return any;
}

/* A value that stands for another one of the class is an effect of its own, and leaves the class. Returns the runs
 * left. */
static int add_chosen(struct effects *effects, const struct view *view, int *order, int count, bool all)
{
    const bool is_number = view->study->runs[0].parameters[view->parameter].is_number;
    for (int i = 0; i < count && !is_number; i++)
        for (int k = 0; k < count; k++) {
            if (i == k || !has_chosen(&view->study->runs[order[i]], &view->study->runs[order[k]], view->parameter))
                continue;
            add_effect(effects, &(struct no_effect){.parameter = view->parameter,
                                                    .reason = NO_EFFECT_CHOSEN,
                                                    .all = all && count == 2,
                                                    .n_settings = 1,
                                                    .first = order[i],
                                                    .second = order[k]});
            int chosen = order[i];
            memmove(&order[i], &order[i + 1], (size_t)(count - i - 1) * sizeof *order);
            order[count - 1] = chosen;
            return count - 1;
        }
    return count;
}

/* The classes among the runs order[0 ... count - 1], which differ in the parameter only. */
static void add_classes(struct effects *effects, const struct view *view, int *order, int count)
{
    const struct study_run *runs = view->study->runs;
    for (int first = 0, end, n_left; first < count; first = end) {
        end = first + 1;
        while (end < count && same_time(&runs[order[first]], &runs[order[end]]))
            end++;
        n_left = add_chosen(effects, view, order + first, end - first, end - first == count);
        if (n_left < 2)
            continue;
        enum subject subject = runs[0].parameters[view->parameter].subject;
        enum no_effect_reason reason = find_reason(view->study, &runs[order[first]], &runs[order[first + 1]], subject);
        for (int i = first + 2; i < first + n_left; i++) {
            enum no_effect_reason other = find_reason(view->study, &runs[order[first]], &runs[order[i]], subject);
            reason = other > reason ? other : reason;
        }
        add_effect(effects, &(struct no_effect){.parameter = view->parameter,
                                                .reason = reason,
                                                .all = end - first == count,
                                                .n_settings = 1,
                                                .first = order[first],
                                                .second = order[first + 1]});
    }
}

static void add_parameter(struct effects *effects, int *order, const struct view *view)
{
    size_t before = effects->count;
    int n_others = 0, n_runs = view->study->n_runs;
    for (int i = 0; i < n_runs; i++)
        order[i] = i;
    sort_rows(order, (size_t)n_runs, sizeof *order, in_view, (void *)(uintptr_t)view);
    for (int first = 0, end; first < n_runs; first = end, n_others++) {
        end = first + 1;
        while (end < n_runs && compare_others(view, order[first], order[end]) == 0)
            end++;
        add_classes(effects, view, order + first, end - first);
    }
    for (size_t i = before; i < effects->count; i++)
        effects->items[i].n_others = n_others;
}

/* The order of effects: those that are true everywhere first. */
static int by_extent(const void *left, const void *right)
{
    const struct no_effect *a = left, *b = right;
    if (a->all != b->all)
        return a->all ? -1 : 1;
    double x = (double)a->n_settings / a->n_others, y = (double)b->n_settings / b->n_others;
    if (x < y || x > y)
        return x > y ? -1 : 1;
    return a->parameter != b->parameter ? a->parameter - b->parameter : (int)a->reason - (int)b->reason;
}

struct no_effect *no_effect_find(int *n_effects, const struct study *study)
{
    struct effects effects = {0};
    int *order = xmalloc((size_t)study->n_runs * sizeof *order + 1);
    for (int i = 0; study->n_runs > 1 && i < study->runs[0].n_parameters; i++)
        if (study_varies(study, i) && study->runs[0].parameters[i].width == 0)
            add_parameter(&effects, order, &(struct view){study, i});
    free(order);
    if (effects.count > 0)
        sort_stable(effects.items, effects.count, sizeof *effects.items, by_extent);
    *n_effects = (int)effects.count;
    return effects.items;
}
