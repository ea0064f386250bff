/* Files that are to be written, so that none of them is another, and none is read.
 *
 * All outputs are reserved before anything is read. Code that reads a file then asks whether it is one of them;
 * children that are forked later know them, too. Files are the same by what they are, not by their names: links, hard
 * links and ".." are seen through. Anything that exists and is neither a file nor a folder, such as /dev/null, is not
 * reserved.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_RESERVED_OUTPUTS_H
#define OS_RESERVED_OUTPUTS_H

#include "base/error.h"

/* Claim `part`, which is written when `option` names `file`; both are the same where it writes one file. A part whose
 * name ends with '/' is a folder with all that is below it. SIM_BAD_INPUT if another option writes it, too. */
int reserved_outputs_add(const char *option, const char *file, const char *part, struct sim_error *error);

/* Check that a file that is to be read will stay as it is; SIM_BAD_INPUT if it is reserved. `named_by` is the file that
 * names it; NULL: the user does. */
int reserved_outputs_check(const char *file, const char *named_by, struct sim_error *error);

/* The same for a part of `file`; of a folder, whose name ends with '/', that is all below it and what its links lead
 * to. */
int reserved_outputs_check_part(const char *file, const char *part, struct sim_error *error);

#endif
