/* Stub of base_child.c and simgrid_document.c of src/sim/platform where there are no processes, and no SimGrid that
 * would need one.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "os/libraries.h"
#include "sim/platform/internal.h"

int platform_ask_facts(struct platform_facts *facts, const char *file, struct sim_error *error)
{
    platform_find_facts(facts, file);
    if (facts->status != 0)
        *error = facts->error;
    return facts->status;
}

FILE *machine_memory_open(struct sim_error *error)
{
    library_refuse(LIBRARY_SIMGRID, NULL, error);
    return NULL;
}

int machine_memory_flush(FILE *stream, struct sim_error *error)
{
    (void)stream, (void)error;
    return 0;
}

void machine_memory_name(char name[MACHINE_MEMORY_NAME], FILE *stream)
{
    (void)stream;
    name[0] = '\0';
}

int machine_simgrid_write(FILE **stream, struct _xmlDoc *document, const char *file, struct sim_error *error)
{
    (void)document;
    *stream = NULL;
    return library_refuse(LIBRARY_SIMGRID, file, error);
}
