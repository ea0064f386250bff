/* Texts that runs borrow, each kept once: equal ones are the same one, good for as long as they are kept. */
#ifndef STUDY_TEXTS_H
#define STUDY_TEXTS_H

#include "base/map.h"

/* All zero is none. */
struct texts {
    struct map map; /* from hashes to the texts */
};

/* The same text as one that is kept until texts_dispose(). */
const char *texts_keep(struct texts *texts, const char *text);
void texts_dispose(struct texts *texts);

#endif
