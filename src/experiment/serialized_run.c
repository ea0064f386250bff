/* Packs and opens what processes that simulate send.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "experiment/serialized_run.h"

#include "study/run_transport.h"

#include <stdint.h>
#include <stdio.h>

enum { OF_INDEX = 4, OF_STATUS = 1, OF_MESSAGE = 2 }; /* bytes of each */

/* Behind the index: the status that the run ended with, and it (study/run_transport.h) or the message of its error. */
static void transport_outcome(struct transport *transport, struct study_run *run, struct sim_error *error)
{
    wide_int status = error->status;
    transport_number(transport, &status, OF_STATUS);
    transport->failed = transport->failed || status < SIM_DONE || status > SIM_BAD_INPUT;
    error->status = (enum sim_status)status;
    if (error->status == SIM_DONE)
        run_transport(transport, run);
    else
        transport_text(transport, error->message, sizeof error->message, OF_MESSAGE);
}

int serialized_run_fail(struct sim_error *error)
{
    return sim_error_set(error, SIM_UNFINISHED, NULL, 0, "a job exited before its runs were done");
}

char *serialized_run_write(size_t *size, int index, struct study_run *run, struct sim_error *error)
{
    char *bytes = NULL;
    wide_int number = index;
    struct transport transport = {.to = open_memstream(&bytes, size)};
    transport_number(&transport, &number, OF_INDEX);
    transport_outcome(&transport, run, error);
    fclose(transport.to);
    return bytes;
}

int serialized_run_read(int *failed, struct study *study, const struct workers_task *task, const unsigned char *bytes,
                        size_t size, struct sim_error *error)
{
    struct transport transport = {.from = bytes, .size = size};
    struct sim_error own = {.status = SIM_DONE};
    wide_int index;
    transport_number(&transport, &index, OF_INDEX);
    if (transport.failed || index < 0 || index >= study->n_runs)
        return serialized_run_fail(error);
    struct study_run *run = &study->runs[index];
    transport_outcome(&transport, run, &own);
    if (transport.failed || transport.size > 0)
        return serialized_run_fail(error);
    if (own.status == SIM_DONE) {
        if (task->done(task->self, run, (int)index, &own) == 0)
            return 0;
        *error = own;
        return -1;
    }
    if (index < *failed) {
        *error = own;
        *failed = (int)index;
    }
    return 0;
}
