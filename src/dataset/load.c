/* Tells the format of a file by its first characters, and has it read.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "dataset/internal.h"

#include <string.h>

/* True if the first line that is no comment begins with that. */
static bool begins_with(struct input *input, const char *word)
{
    struct input_mark mark = input_mark(input);
    for (input_skip_space(input); input->next == '#'; input_skip_space(input))
        input_skip_line(input);
    for (; *word != '\0' && input->next == *word; word++)
        input_advance(input);
    bool begins = *word == '\0';
    input_return(input, &mark);
    return begins;
}

static int read_text(struct dataset *dataset, struct input *input, struct sim_error *error)
{
    struct input_mark mark = input_mark(input);
    input_skip_space(input);
    bool is_json = input->next == '{' || input->next == '[';
    input_return(input, &mark);
    if (is_json)
        return json_read(dataset, input, error);
    return (begins_with(input, "PARAMETER ") ? extrap_text_read : csv_read)(dataset, input, error);
}

int dataset_load(struct dataset *dataset, const char *file, struct sim_error *error)
{
    struct input input;
    *dataset = (struct dataset){.file = file};
    if (input_open(&input, file, error) != 0)
        return -1;
    bool is_archive = begins_with(&input, "PK\003\004");
    int status = is_archive ? 0 : read_text(dataset, &input, error);
    input_close(&input);
    if (is_archive)
        status = experiment_read(dataset, file, error);
    if (status == 0 && dataset->n_rows == 0)
        status = dataset_fail(error, file, 0, 0, "has names of columns, but no rows with values");
    if (status == 0)
        dataset_trim(dataset);
    else
        dataset_dispose(dataset);
    return status;
}
