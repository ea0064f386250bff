/* Stub of src/trace/otf2: such traces are known by their names, and refused.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/libraries.h"
#include "trace/record/record.h"
#include "trace/record/writer.h"

#include <stddef.h>

static int refuse_to_read(struct record_reader *reader, const char *file, struct sim_error *error)
{
    (void)reader;
    return library_refuse(LIBRARY_OTF2, file, error);
}

static void *refuse_to_write(const char *file, struct sim_error *error)
{
    library_refuse(LIBRARY_OTF2, file, error);
    return NULL;
}

const struct record_format read_otf2 = {.name = "otf2", .extension = ".otf2", .open = refuse_to_read};
const struct trace_format trace_otf2 = {.name = "otf2", .extension = ".otf2", .open = refuse_to_write};
