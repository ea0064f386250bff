/* The numbers of the archive's definitions that events refer to.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_ARCHIVE_STRINGS_H
#define EPPA_ARCHIVE_STRINGS_H

enum {
    STRING_EMPTY,
    STRING_USEFUL,
    STRING_CONTROL,
    STRING_IDLE,
    STRING_PROCESSOR,
    STRING_ASLEEP,
    STRING_OFF,
    STRING_MESSAGES,
    N_FIXED_STRINGS
};
enum {
    ATTRIBUTE_ROLE,
    ATTRIBUTE_OPERATIONS,
    ATTRIBUTE_QUANTUMS,
    ATTRIBUTE_PEER,
    ATTRIBUTE_TAG,
    ATTRIBUTE_COMM,
    ATTRIBUTE_POLLS,
    ATTRIBUTE_ANY_SOURCE,
    ATTRIBUTE_SITE,
    ATTRIBUTE_PATH
};
enum { PARAMETER_BLOCK };

/* Then the program of each rank, the call sites, and what eppa/archive/definitions.c needs. */
#define STRING_PROGRAM(rank) ((OTF2_StringRef)(N_FIXED_STRINGS + (rank)))
#define STRING_SITE(n_ranks, site) ((uint32_t)N_FIXED_STRINGS + (uint32_t)(n_ranks) + (uint32_t)(site))

#endif
