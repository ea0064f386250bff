/* Changes that change nothing, and why. */
#include "report/study.h"

#include "base/memory.h"
#include "report/text_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const study_reason_names[N_STUDY_REASONS] = {
    [STUDY_UNUSED] = "unused",           [STUDY_NO_MESSAGES] = "no_messages", [STUDY_ZERO] = "component_zero",
    [STUDY_UNCONTENDED] = "uncontended", [STUDY_OFF_PATH] = "off_path",       [STUDY_SAME_PATH] = "same_path",
    [STUDY_BALANCED] = "balanced",       [STUDY_CHOSEN] = "chosen",
};

/* --- what is equal --- */

static bool is_equal(const struct measure *a, const struct measure *b)
{
    if (a == NULL || b == NULL || a->type != b->type)
        return a == b;
    if (a->type != MEASURE_RATIO)
        return a->number == b->number;
    return (isnan(a->ratio) && isnan(b->ratio)) || (a->ratio <= b->ratio && a->ratio >= b->ratio);
}

/* Whether all measures of a group are equal; "" stands for every group, and the states of all processes. */
static bool equal_measures(const struct report_run *a, const struct report_run *b, const char *group)
{
    const struct result *left = &a->result, *right = &b->result;
    if (group[0] == '\0' && (left->n_ranks != right->n_ranks || left->n_measures != right->n_measures ||
                             (left->n_ranks > 0 && memcmp(left->state_ps, right->state_ps,
                                                          (size_t)left->n_ranks * sizeof *left->state_ps) != 0)))
        return false;
    for (size_t i = 0; i < left->n_measures; i++) {
        const struct measure *measure = &left->measures[i];
        if (strcmp(measure->group, "reference") == 0 || (group[0] != '\0' && strcmp(measure->group, group) != 0))
            continue;
        if (!is_equal(measure, result_find(right, measure->group, measure->name)))
            return false;
    }
    return true;
}

static bool same_time(const struct report_run *a, const struct report_run *b)
{
    const struct measure *left = result_find(&a->result, "", "time_s"), *right = result_find(&b->result, "", "time_s");
    return left != NULL && right != NULL && is_equal(left, right);
}

/* --- the reason --- */

/* The part of a parameter's name that may name a component: "broadcast" of broadcast_segment. */
static size_t stem_length(const char *name)
{
    return strcspn(name, "_");
}

/* The component of the critical path that a parameter concerns; NULL where none is known. */
static const struct measure *find_component(const struct report_run *run, const char *parameter)
{
    static const char prefix[] = "communication.";
    if (strcmp(parameter, "root") == 0)
        return result_find(&run->result, "critical_path_s", "io");
    for (size_t i = 0; i < run->result.n_measures; i++) {
        const struct measure *measure = &run->result.measures[i];
        if (strcmp(measure->group, "critical_path_s") == 0 && strncmp(measure->name, prefix, strlen(prefix)) == 0 &&
            strncmp(measure->name + strlen(prefix), parameter, stem_length(parameter)) == 0)
            return measure;
    }
    return NULL;
}

static enum study_reason find_reason(const struct report_run *a, const struct report_run *b, const char *parameter)
{
    const struct measure *component = find_component(a, parameter), *other = find_component(b, parameter);
    if (equal_measures(a, b, "")) {
        if (text_value(a, "", "messages") <= 0)
            return STUDY_NO_MESSAGES;
        if (component != NULL && component->number == 0 && component->type == MEASURE_TIME)
            return STUDY_ZERO;
        return strcmp(parameter, "network") == 0 ? STUDY_UNCONTENDED : STUDY_UNUSED;
    }
    if (component != NULL && other != NULL && component->type == MEASURE_TIME && component->number == 0 &&
        other->number == 0)
        return STUDY_ZERO;
    if (!equal_measures(a, b, "critical_path_s"))
        return STUDY_BALANCED;
    if (component != NULL && strcmp(parameter, "network") != 0)
        return STUDY_SAME_PATH;
    return strcmp(parameter, "network") == 0 ? STUDY_UNCONTENDED : STUDY_OFF_PATH;
}

/* --- classes of runs with the same time --- */

/* Runs sorted so that those that differ in one parameter only stand together, the same times beside each other. */
struct view {
    const struct report *report;
    int parameter;
};

static int compare_others(const struct view *view, int left, int right)
{
    const struct report_run *a = &view->report->runs[left], *b = &view->report->runs[right];
    for (int i = 0; i < a->n_parameters; i++)
        if (i != view->parameter && a->parameters[i].number != b->parameters[i].number)
            return a->parameters[i].number < b->parameters[i].number ? -1 : 1;
    return 0;
}

static int in_view(const void *left, const void *right, void *data)
{
    const struct view *view = data;
    int a = *(const int *)left, b = *(const int *)right, order = compare_others(view, a, b);
    double x = text_time(&view->report->runs[a]), y = text_time(&view->report->runs[b]);
    if (order == 0) /* those that a decision discards have no time, and are the last */
        order = isnan(x) || isnan(y) ? isnan(x) - isnan(y) : (x > y) - (x < y);
    return order != 0 ? order : (a > b) - (a < b);
}

struct effects {
    struct study_effect *items;
    size_t count, capacity;
};

/* Runs of one class with the same reason and extent are one effect. */
static void add_effect(struct effects *effects, const struct study_effect *effect)
{
    for (size_t i = 0; i < effects->count; i++) {
        struct study_effect *known = &effects->items[i];
        if (known->parameter == effect->parameter && known->reason == effect->reason && known->all == effect->all) {
            known->n_settings++;
            return;
        }
    }
    effects->items = xgrow(effects->items, effects->count, &effects->capacity, sizeof *effects->items);
    effects->items[effects->count++] = *effect;
}

/* Whether in run `a` the value of the parameter, `fastest`, stands for that of run `b` and for nothing else. */
static bool has_chosen(const struct report_run *a, const struct report_run *b, int parameter)
{
    const struct result_table *choices = result_find_table(&a->result, "fastest");
    bool any = false;
    for (size_t row = 0; choices != NULL && row < choices->n_rows; row++) {
        const char *collective = result_cell(choices, row, result_column(choices, "collective"))->text;
        const char *algorithm = result_cell(choices, row, result_column(choices, "algorithm"))->text;
        if (strcmp(collective, a->parameters[parameter].name) != 0)
            continue;
        if (strcmp(algorithm, b->parameters[parameter].text) != 0)
            return false;
        any = true;
    }
    return any;
}

/* A value that stands for another one of the class is an effect of its own, and leaves the class. Returns the runs
 * left. */
static int add_chosen(struct effects *effects, const struct view *view, int *order, int count, bool all)
{
    const bool is_number = view->report->runs[0].parameters[view->parameter].is_number;
    for (int i = 0; i < count && !is_number; i++)
        for (int k = 0; k < count; k++) {
            if (i == k || !has_chosen(&view->report->runs[order[i]], &view->report->runs[order[k]], view->parameter))
                continue;
            add_effect(effects, &(struct study_effect){.parameter = view->parameter,
                                                       .reason = STUDY_CHOSEN,
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
    const struct report_run *runs = view->report->runs;
    for (int first = 0, end, n_left; first < count; first = end) {
        end = first + 1;
        while (end < count && same_time(&runs[order[first]], &runs[order[end]]))
            end++;
        n_left = add_chosen(effects, view, order + first, end - first, end - first == count);
        if (n_left < 2)
            continue;
        const char *name = runs[0].parameters[view->parameter].name;
        enum study_reason reason = find_reason(&runs[order[first]], &runs[order[first + 1]], name);
        for (int i = first + 2; i < first + n_left; i++) {
            enum study_reason other = find_reason(&runs[order[first]], &runs[order[i]], name);
            reason = other > reason ? other : reason;
        }
        add_effect(effects, &(struct study_effect){.parameter = view->parameter,
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
    int n_others = 0, n_runs = view->report->n_runs;
    for (int i = 0; i < n_runs; i++)
        order[i] = i;
    qsort_r(order, (size_t)n_runs, sizeof *order, in_view, (void *)(uintptr_t)view);
    for (int first = 0, end; first < n_runs; first = end, n_others++) {
        end = first + 1;
        while (end < n_runs && compare_others(view, order[first], order[end]) == 0)
            end++;
        add_classes(effects, view, order + first, end - first);
    }
    for (size_t i = before; i < effects->count; i++)
        effects->items[i].n_others = n_others;
}

/* What is true everywhere first. */
static int by_extent(const void *left, const void *right)
{
    const struct study_effect *a = left, *b = right;
    if (a->all != b->all)
        return a->all ? -1 : 1;
    double x = (double)a->n_settings / a->n_others, y = (double)b->n_settings / b->n_others;
    if (x < y || x > y)
        return x > y ? -1 : 1;
    return a->parameter != b->parameter ? a->parameter - b->parameter : (int)a->reason - (int)b->reason;
}

struct study_effect *study_find_effects(int *n_effects, const struct report *report)
{
    struct effects effects = {0};
    int *order = xmalloc((size_t)report->n_runs * sizeof *order + 1);
    for (int i = 0; report->n_runs > 1 && i < report->runs[0].n_parameters; i++)
        if (report_varies(report, i) && report->runs[0].parameters[i].width == 0)
            add_parameter(&effects, order, &(struct view){report, i});
    free(order);
    if (effects.count > 0)
        qsort(effects.items, effects.count, sizeof *effects.items, by_extent);
    *n_effects = (int)effects.count;
    return effects.items;
}

/* --- words --- */

/* The measure outside the critical path that changes most, by its factor. */
static const struct measure *most_moved(const struct report_run *a, const struct report_run *b)
{
    const struct measure *most = NULL;
    double largest = 0;
    for (size_t i = 0; i < a->result.n_measures; i++) {
        const struct measure *measure = &a->result.measures[i];
        if (strcmp(measure->group, "state_s") != 0 && strcmp(measure->name, "messages") != 0 &&
            strcmp(measure->name, "bytes") != 0)
            continue;
        double x = measure_value(measure), y = text_value(b, measure->group, measure->name);
        double moved = fabs(x - y) / fmax(fmax(fabs(x), fabs(y)), 1e-300);
        if (moved > largest) {
            largest = moved;
            most = measure;
        }
    }
    return most;
}

static char *append_reason(char *line, const struct report *report, const struct study_effect *effect)
{
    const struct report_run *a = &report->runs[effect->first], *b = &report->runs[effect->second];
    const char *name = a->parameters[effect->parameter].name;
    const struct measure *component = find_component(a, name), *moved = most_moved(a, b);
    switch (effect->reason) {
    case STUDY_UNUSED:
        if (!effect->all && a->parameters[effect->parameter].is_number)
            return text_append(line,
                               "nothing in the run changes: beyond a limit, such as a message's length, it is not "
                               "used");
        return text_append(line, "nothing in the run changes: neither program nor machine uses it there");
    case STUDY_NO_MESSAGES:
        return text_append(line, "nothing is sent there");
    case STUDY_ZERO:
        return text_append(line, "what it concerns, %s, takes no time", component != NULL ? component->name : "");
    case STUDY_UNCONTENDED:
        return text_append(line, "no message that counts waits for another");
    case STUDY_OFF_PATH:
    case STUDY_SAME_PATH:
        line = effect->reason == STUDY_OFF_PATH
                   ? text_append(line, "not on the critical path, which stays as it is")
                   : text_append(line, "the critical path takes as long either way, %s included", component->name);
        if (moved == NULL)
            line = text_append(line, "; all sums over ranks stay, ranks change places");
        else
            line = text_append(line, "; what changes is %s%s%s, %.4g to %.4g", moved->group,
                               moved->group[0] != '\0' ? "." : "", moved->name, measure_value(moved),
                               text_value(b, moved->group, moved->name));
        return line;
    case STUDY_BALANCED:
        return text_append(line, "the critical path is another one of the same length");
    case STUDY_CHOSEN:
        return text_append(line, "%s has chosen %s there", a->parameters[effect->parameter].text,
                           b->parameters[effect->parameter].text);
    case N_STUDY_REASONS:
        break;
    }
    return line;
}

/* "broadcast flat, ranks 8": what else varies, of the first run. */
static char *append_setting(char *line, const struct report *report, const struct study_effect *effect)
{
    const struct report_run *run = &report->runs[effect->first];
    const char *before = "";
    for (int i = 0; i < run->n_parameters; i++)
        if (i != effect->parameter && report_varies(report, i)) {
            line = text_append(line, "%s%s %s", before, run->parameters[i].name, run->parameters[i].text);
            before = ", ";
        }
    return line;
}

char *study_describe_effect(const struct report *report, const struct study_effect *effect)
{
    const struct report_parameter *first = &report->runs[effect->first].parameters[effect->parameter],
                                  *second = &report->runs[effect->second].parameters[effect->parameter];
    char *line = effect->all ? xformat("%s has no effect", first->name)
                             : xformat("%s makes no difference between some values, such as %s and %s", first->name,
                                       first->text, second->text);
    if (effect->n_settings < effect->n_others) {
        line = text_append(line, "%s in %d of %d settings, such as ", effect->all ? "" : ",", effect->n_settings,
                           effect->n_others);
        line = append_setting(line, report, effect);
    } else if (!effect->all && effect->n_others > 1) {
        line = text_append(line, " with ");
        line = append_setting(line, report, effect);
    }
    return append_reason(text_append(line, ": "), report, effect);
}
