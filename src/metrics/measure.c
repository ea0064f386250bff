/* The identities of measures: their table, and the only place where the letters of names are compared.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/measure.h"

#include "base/memory.h"
#include "metrics/result.h"

#include <stdio.h>
#include <string.h>

const struct measure_spec measure_specs[N_MEASURES] = {
#define MEASURE(id, group, name, label, unit, kind, parent)                                                            \
    [M_##id] = {                                                                                                       \
        group, name, label, UNIT_##unit, KIND_##kind, M_##parent, sizeof(name) > 1 && name[sizeof(name) - 2] == '*'},
#include "metrics/measures.def"
#undef MEASURE
};

static bool is_named(const struct measure_spec *spec, const char *group, const char *name)
{
    if (spec->name == NULL || strcmp(spec->group, group) != 0)
        return false;
    return spec->is_family ? strncmp(spec->name, name, strlen(spec->name) - 1) == 0 : strcmp(spec->name, name) == 0;
}

/* Families append their measures in the order of the table, or the same one again. */
enum measure_id measure_identify(const char *group, const char *name, enum measure_id hint)
{
    for (int i = 0; i < N_MEASURES; i++) {
        int id = (int)(hint + (unsigned)i) % N_MEASURES;
        if (is_named(&measure_specs[id], group, name))
            return (enum measure_id)id;
    }
    return M_NONE;
}

void measure_name_of(char *name, size_t name_size, enum measure_id family, const char *part)
{
    const char *begins = measure_specs[family].name;
    snprintf(name, name_size, "%.*s%s", (int)strlen(begins) - 1, begins, part);
}

const char *measure_label(const struct measure *measure)
{
    const struct measure_spec *spec = &measure_specs[measure->of->id];
    return spec->label != NULL ? spec->label
           : spec->is_family   ? measure->of->name + strlen(spec->name) - 1
                               : measure->of->name;
}

char *measure_key(const struct measure *measure)
{
    return xformat("%s%s%s", measure->of->group, measure->of->group[0] != '\0' ? "." : "", measure->of->name);
}

enum measure_kind measure_kind(const struct measure *measure)
{
    return measure_specs[measure->of->id].kind;
}

enum unit measure_unit(const struct measure *measure)
{
    static const enum unit units[] = {[MEASURE_TIME] = UNIT_SECONDS,
                                      [MEASURE_COUNT] = UNIT_COUNT,
                                      [MEASURE_RATIO] = UNIT_NUMBER,
                                      [MEASURE_TEXT] = UNIT_TEXT};
    return measure->of->id != M_NONE ? measure_specs[measure->of->id].unit : units[measure->of->type];
}

bool measure_is_never_negative(const struct measure *measure)
{
    static const bool amounts[N_MEASURE_KINDS] = {
        [KIND_RUN] = true,      [KIND_STATE] = true, [KIND_SCOPE_STATE] = true,
        [KIND_OVERHEAD] = true, [KIND_PATH] = true,  [KIND_BOTTLENECK] = true,
        [KIND_CATEGORY] = true, [KIND_EACH] = true,  [KIND_PART] = true,
    };
    return amounts[measure_kind(measure)] && measure_unit(measure) != UNIT_DIFFERENCE &&
           measure->of->id != M_OVERHEAD_ANOMALY;
}

bool measure_same_group(const struct measure *a, const struct measure *b)
{
    return strcmp(a->of->group, b->of->group) == 0;
}

bool measure_same(const struct measure *a, const struct measure *b)
{
    return a->of->id == b->of->id && strcmp(a->of->name, b->of->name) == 0 && measure_same_group(a, b);
}
