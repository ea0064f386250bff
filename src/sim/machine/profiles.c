/* Which profile a host or link has.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "sim/machine/profiles.h"

#include "base/memory.h"
#include "sim/machine/machine.h"

#include <stdlib.h>
#include <string.h>

struct machine_profiles *machine_profiles_new(void)
{
    return xcalloc(1, sizeof(struct machine_profiles));
}

void machine_profiles_free(struct machine_profiles *profiles)
{
    for (size_t i = 0; profiles != NULL && i < profiles->count; i++) {
        profile_dispose(&profiles->items[i].profile);
        free(profiles->items[i].element);
    }
    if (profiles != NULL)
        free(profiles->items);
    free(profiles);
}

int machine_profiles_order(const void *left, const void *right)
{
    const struct machine_profile *a = left, *b = right;
    int order = strcmp(a->element, b->element);
    return order != 0 ? order : (a->profile.kind > b->profile.kind) - (a->profile.kind < b->profile.kind);
}

static const struct profile *find(const struct machine_profiles *profiles, char *element, enum profile_kind kind)
{
    const struct machine_profile key = {.element = element, .profile = {.kind = kind}};
    if (profiles->count == 0)
        return NULL;
    const struct machine_profile *found =
        bsearch(&key, profiles->items, profiles->count, sizeof key, machine_profiles_order);
    return found != NULL ? &found->profile : NULL;
}

const struct profile *machine_host_profile(const struct machine *machine, int host)
{
    if (machine->net->profiles == NULL)
        return NULL;
    char *name = xstrdup(machine_host_name(machine, host));
    const struct profile *profile = find(machine->net->profiles, name, PROFILE_SPEED);
    free(name);
    return profile;
}

bool machine_has_profiles(const struct machine *machine)
{
    return machine->net->profiles != NULL && machine->net->profiles->count > 0;
}

/* Both directions of a SPLITDUPLEX link, NAME_UP and NAME_DOWN, have the profile of NAME. */
const struct profile *machine_link_profile(const struct machine *machine, int link, enum profile_kind kind)
{
    if (machine->net->profiles == NULL)
        return NULL;
    char *name = xstrdup(machine_link_name(machine, link));
    const struct profile *profile = find(machine->net->profiles, name, kind);
    char *end = strrchr(name, '_');
    if (profile == NULL && end != NULL && (strcmp(end, "_UP") == 0 || strcmp(end, "_DOWN") == 0)) {
        *end = '\0';
        profile = find(machine->net->profiles, name, kind);
    }
    free(name);
    return profile;
}
