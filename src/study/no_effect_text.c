/* Why a change changes nothing, as a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/no_effect.h"

#include <math.h>

/* The measure outside the critical path that changes most, by its factor. */
static const struct measure *most_moved(const struct study_run *a, const struct study_run *b)
{
    const struct measure *most = NULL;
    double largest = 0;
    for (size_t i = 0; i < a->result.n_measures; i++) {
        const struct measure *measure = &a->result.measures[i];
        if (measure_kind(measure) != KIND_STATE && measure->of->id != M_MESSAGES && measure->of->id != M_BYTES)
            continue;
        double x = measure_value(measure), y = run_value(b, measure->of->id);
        double moved = fabs(x - y) / fmax(fmax(fabs(x), fabs(y)), 1e-300);
        if (moved > largest) {
            largest = moved;
            most = measure;
        }
    }
    return most;
}

static void add_moved(struct builder *text, const struct study_run *a, const struct study_run *b,
                      enum audience audience)
{
    const struct measure *moved = most_moved(a, b);
    if (moved == NULL)
        builder_add(text, audience == FOR_READERS ? "; the order of the ranks changes, but not the time"
                                                  : "; all sums are the same, only ranks change places");
    else
        builder_add(text, "; what changes is %s%s%s, %.4g to %.4g", moved->of->group,
                    moved->of->group[0] != '\0' ? "." : "", moved->of->name, measure_value(moved),
                    run_value(b, moved->of->id));
}

static void add_reason(struct builder *text, const struct study *study, const struct no_effect *effect,
                       enum audience audience)
{
    const struct study_run *a = &study->runs[effect->first], *b = &study->runs[effect->second];
    const struct study_parameter *parameter = &a->parameters[effect->parameter];
    const struct measure *component = no_effect_component(study, a, parameter->subject);
    switch (effect->reason) {
    case NO_EFFECT_UNUSED:
        builder_add(text,
                    !effect->all && parameter->is_number
                        ? "nothing in the run changes: beyond a limit, such as a message's length, it has no effect"
                        : "nothing in the run changes: neither program nor machine uses it there");
        return;
    case NO_EFFECT_NO_MESSAGES:
        builder_add(text, "no messages are sent there");
        return;
    case NO_EFFECT_ZERO:
        builder_add(text, "the component that it affects, %s, takes no time",
                    component != NULL ? component->of->name : "");
        return;
    case NO_EFFECT_UNCONTENDED:
        builder_add(text, "no message on the critical path is delayed");
        return;
    case NO_EFFECT_OFF_PATH:
        builder_add(text, audience == FOR_READERS ? "not on the critical path"
                                                  : "not on the critical path, which stays as it is");
        add_moved(text, a, b, audience);
        return;
    case NO_EFFECT_SAME_PATH:
        builder_add(text, "the critical path takes as long either way, %s included", component->of->name);
        add_moved(text, a, b, audience);
        return;
    case NO_EFFECT_BALANCED:
        builder_add(text, "the critical path is another one of the same length");
        return;
    case NO_EFFECT_SAME_WAYS:
        builder_add(text, "messages take the same ways, or others on which they come at the same time");
        return;
    case NO_EFFECT_CHOSEN:
        builder_add(text, "%s has chosen %s there", parameter->text, b->parameters[effect->parameter].text);
        return;
    case N_NO_EFFECT_REASONS:
        return;
    }
}

/* "broadcast flat, ranks 8": what else varies, of the first run. */
static void add_setting(struct builder *text, const struct study *study, const struct no_effect *effect)
{
    const struct study_run *run = &study->runs[effect->first];
    const char *before = "";
    for (int i = 0; i < run->n_parameters; i++)
        if (i != effect->parameter && study_varies(study, i)) {
            builder_add(text, "%s%s %s", before, run->parameters[i].name, run->parameters[i].text);
            before = ", ";
        }
}

char *no_effect_describe(const struct study *study, const struct no_effect *effect, enum audience audience)
{
    const struct study_parameter *first = &study->runs[effect->first].parameters[effect->parameter],
                                 *second = &study->runs[effect->second].parameters[effect->parameter];
    struct builder text = {0};
    if (effect->all)
        builder_add(&text, "%s has no effect", first->name);
    else
        builder_add(&text, "%s makes no difference between some values, such as %s and %s", first->name, first->text,
                    second->text);
    if (effect->n_settings < effect->n_others) {
        builder_add(&text, "%s in %d of %d settings, such as ", effect->all ? "" : ",", effect->n_settings,
                    effect->n_others);
        add_setting(&text, study, effect);
    } else if (!effect->all && effect->n_others > 1) {
        builder_add(&text, " with ");
        add_setting(&text, study, effect);
    }
    builder_add(&text, ": ");
    add_reason(&text, study, effect, audience);
    return builder_take(&text);
}
