/* The table of commands, in the order of simrun --help.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "simrun/command.h"

#include <stddef.h>

extern const struct command command_simulate, command_list, command_explain, command_check, command_model,
    command_platform, command_store_ls, command_store_diff, command_store_merge, command_forecast, command_calibrate,
    command_lab, command_trace, command_completion, command_compare;

const struct command *const commands[] = {
    &command_simulate,   &command_list,        &command_explain,    &command_check,
    &command_compare,    &command_model,       &command_platform,   &command_store_ls,
    &command_store_diff, &command_store_merge, &command_forecast,   &command_trace,
    &command_calibrate,  &command_lab,         &command_completion, NULL,
};
