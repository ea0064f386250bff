/* Fuzzing of the lines of a broadcast. What is taken delivers to all, or waits for ever.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "fuzzing.h"

#include "sim/user_broadcast/user_broadcast.h"

#include <stdlib.h>
#include <string.h>

static void check_messages(const struct user_broadcast_messages *messages)
{
    fuzz_check(messages->starts[0] == 0 && messages->n_segments >= 1);
    for (int r = 0; r < messages->n_ranks; r++)
        for (int64_t i = messages->starts[r]; i < messages->starts[r + 1]; i++) {
            const struct user_broadcast_op *op = &messages->ops[i];
            fuzz_check(op->peer >= 0 && op->peer < messages->n_ranks && op->peer != r);
            fuzz_check(op->first >= 0 && op->count >= 1 && op->first + op->count <= messages->n_segments);
        }
}

/* Loops without end take their time, so a `while` is left out. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct user_broadcast_lines *lines;
    struct sim_error error;
    fuzz_check_quiet();
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = '\0';
    bool may_not_end = strstr(text, "while") != NULL || strstr(text, "000") != NULL;
    if (fuzz_has_read(user_broadcast_lines_read(&lines, text, size, "own.txt", &error), &error)) {
        for (int n_ranks = 2; n_ranks <= 7 && !may_not_end; n_ranks += 5) {
            struct user_broadcast_messages *messages;
            if (fuzz_has_read(user_broadcast_messages_make(&messages, lines, n_ranks, &error), &error)) {
                check_messages(messages);
                user_broadcast_messages_free(messages);
            }
        }
        user_broadcast_lines_free(lines);
    }
    free(text);
    fuzz_check_quiet();
    return 0;
}
