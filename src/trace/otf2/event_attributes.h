/* Events with attributes: what they say goes to the cursor, or is given back.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef TRACE_OTF2_EVENT_ATTRIBUTES_H
#define TRACE_OTF2_EVENT_ATTRIBUTES_H

#include "trace/otf2/cursor.h"

#include <otf2/otf2.h>

/* The rank enters a region, or leaves it. 0, or -1 with the cursor's error. */
int otf_event_enter(struct otf_cursor *cursor, const OTF2_AttributeList *attributes, OTF2_RegionRef region);
int otf_event_leave(struct otf_cursor *cursor, const OTF2_AttributeList *attributes, OTF2_RegionRef region);

/* True if a receive says that it was from any source. */
bool otf_event_is_from_any(const struct otf_cursor *cursor, const OTF2_AttributeList *attributes);

#endif
