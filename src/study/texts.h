/* Texts that runs borrow, interned: equal ones are the same one, good until texts_dispose().
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_TEXTS_H
#define STUDY_TEXTS_H

#include "base/map.h"

/* All zero is none. */
struct texts {
    struct map map; /* from hashes to the texts */
};

/* The text interned, until texts_dispose(). */
const char *texts_intern(struct texts *texts, const char *text);
void texts_dispose(struct texts *texts);

#endif
