/* Further facts that events say in attributes: of regions that are entered and left, and of receives.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "trace/otf2/event_attributes.h"

#include "base/range.h"

#include <stddef.h>

#define MOST_POLLS (INT64_C(1) << 40) /* in a row: so many that sums over all events have room */

/* True if an event says nothing more, which is so for most. */
static bool is_plain(const OTF2_AttributeList *attributes)
{
    return attributes == NULL || OTF2_AttributeList_GetNumberOfElements(attributes) == 0;
}

/* The i-th thing that an event says: under a name that the archive has, for any other is OTF2_UNDEFINED_ATTRIBUTE. */
struct attribute {
    OTF2_AttributeRef name;
    OTF2_Type type;
    OTF2_AttributeValue value;
};

static bool take_attribute(struct attribute *attribute, const OTF2_AttributeList *attributes, uint32_t i)
{
    return OTF2_AttributeList_GetAttributeByIndex(attributes, i, &attribute->name, &attribute->type,
                                                  &attribute->value) == OTF2_SUCCESS &&
           attribute->name != OTF2_UNDEFINED_ATTRIBUTE;
}

static bool is_number(const struct attribute *attribute)
{
    return attribute->type == OTF2_TYPE_UINT64 && attribute->value.uint64 <= INT64_MAX;
}

int otf_event_enter(struct otf_cursor *cursor, const OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    const struct otf_defs *defs = cursor->shared->defs;
    const struct otf_context *context;
    struct otf_enter said = {.role = OTF_ROLE_NONE, .polls = 1};
    uint32_t index, n = is_plain(attributes) ? 0 : OTF2_AttributeList_GetNumberOfElements(attributes);
    struct attribute attribute;
    for (uint32_t i = 0; i < n; i++) {
        if (!take_attribute(&attribute, attributes, i))
            continue;
        if (attribute.name == defs->role && attribute.type == OTF2_TYPE_STRING)
            said.role = otf_role_of(otf_defs_string(defs, attribute.value.stringRef));
        else if (attribute.name == defs->polls && is_number(&attribute))
            said.polls = int64_clamp((int64_t)attribute.value.uint64, 1, MOST_POLLS);
        else if (attribute.name == defs->site && attribute.type == OTF2_TYPE_STRING &&
                 map_get(&defs->string_map, map_key_64(attribute.value.stringRef), &index))
            said.site = index + 1;
        else if (attribute.name == defs->path && attribute.type == OTF2_TYPE_CALLING_CONTEXT &&
                 (context = otf_defs_context(defs, attribute.value.callingContextRef)) != NULL)
            said.path = context->path;
    }
    return otf_cursor_enter(cursor, region, &said);
}

/* The numbers that an event may say as a region is left: by which attribute, and where they go. */
static const struct {
    size_t attribute; /* in struct otf_defs */
    size_t number;    /* in struct otf_leave */
} numbers[] = {{offsetof(struct otf_defs, idle), offsetof(struct otf_leave, idle_ps)},
               {offsetof(struct otf_defs, operations), offsetof(struct otf_leave, operations)},
               {offsetof(struct otf_defs, quantums), offsetof(struct otf_leave, quantums)},
               {offsetof(struct otf_defs, bytes), offsetof(struct otf_leave, bytes)},
               {offsetof(struct otf_defs, peer), offsetof(struct otf_leave, peer)},
               {offsetof(struct otf_defs, exchanges), offsetof(struct otf_leave, exchanges)},
               {offsetof(struct otf_defs, combines), offsetof(struct otf_leave, combines)},
               {offsetof(struct otf_defs, signal), offsetof(struct otf_leave, mark)},
               {offsetof(struct otf_defs, await), offsetof(struct otf_leave, mark)},
               {offsetof(struct otf_defs, needed), offsetof(struct otf_leave, needed)},
               {offsetof(struct otf_defs, waited), offsetof(struct otf_leave, waited)}};

/* Where the number of that name goes; NULL: it is none that is known. */
static int64_t *number_of(struct otf_leave *leave, OTF2_AttributeRef name, const struct otf_defs *defs)
{
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (*(const OTF2_AttributeRef *)(const void *)((const char *)defs + numbers[i].attribute) == name)
            return (int64_t *)(void *)((char *)leave + numbers[i].number);
    return NULL;
}

/* The member of a communicator whose message the call was waiting for, as far as it is said. */
struct awaited {
    bool has_peer, has_comm;
    int32_t peer, tag;
    OTF2_CommRef comm;
};

static void note_awaited(struct awaited *awaited, const struct attribute *attribute, const struct otf_defs *defs)
{
    if (attribute->name == defs->awaited && attribute->type == OTF2_TYPE_INT32) {
        awaited->has_peer = true;
        awaited->peer = attribute->value.int32;
    } else if (attribute->name == defs->awaited_tag && attribute->type == OTF2_TYPE_INT32) {
        awaited->tag = attribute->value.int32;
    } else if (attribute->name == defs->awaited_comm && attribute->type == OTF2_TYPE_COMM) {
        awaited->has_comm = true;
        awaited->comm = attribute->value.commRef;
    }
}

int otf_event_leave(struct otf_cursor *cursor, const OTF2_AttributeList *attributes, OTF2_RegionRef region)
{
    if (is_plain(attributes))
        return otf_cursor_leave(cursor, region, &otf_leaves_plainly);
    const struct otf_defs *defs = cursor->shared->defs;
    struct otf_leave leave = otf_leaves_plainly;
    struct awaited awaited = {.tag = -1};
    struct attribute attribute;
    uint32_t n = OTF2_AttributeList_GetNumberOfElements(attributes);
    for (uint32_t i = 0; i < n; i++) {
        if (!take_attribute(&attribute, attributes, i))
            continue;
        int64_t *number = number_of(&leave, attribute.name, defs);
        leave.awaits |= attribute.name == defs->await;
        if (number != NULL && is_number(&attribute))
            *number = (int64_t)attribute.value.uint64;
        else
            note_awaited(&awaited, &attribute, defs);
    }
    if (awaited.has_peer && awaited.has_comm) {
        leave.awaited = awaited.peer;
        leave.awaited_tag = (uint32_t)awaited.tag;
        leave.awaited_comm = awaited.comm;
    }
    return otf_cursor_leave(cursor, region, &leave);
}

bool otf_event_is_from_any(const struct otf_cursor *cursor, const OTF2_AttributeList *attributes)
{
    struct attribute attribute;
    uint32_t n = is_plain(attributes) ? 0 : OTF2_AttributeList_GetNumberOfElements(attributes);
    for (uint32_t i = 0; i < n; i++)
        if (take_attribute(&attribute, attributes, i) && attribute.name == cursor->shared->defs->any_source)
            return true;
    return false;
}
