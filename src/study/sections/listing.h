/* The runs of an experiment store as a list: what differs between them, and what is the same for all.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_SECTIONS_LISTING_H
#define STUDY_SECTIONS_LISTING_H

#include "study/run.h"

/* A stored run. All of it is borrowed. */
struct listing_run {
    int64_t id;
    const char *scenario, *program, *compiler;
    const char *scenario_hash, *platform_hash; /* of the files' contents */
    const struct study_run *run;
};

/* `phases` are those of all programs. For programs it is a document of these runs, with run, scenario, program and
 * compiler as parameters. The runs live as long as the document. */
void listing_document(struct document *document, const char *version, const char *file, const struct phase_spec *phases,
                      const struct listing_run *runs, int n_runs);

#endif
