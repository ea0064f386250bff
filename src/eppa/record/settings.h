/* The variables of the environment that are the tracer's.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EPPA_RECORD_SETTINGS_H
#define EPPA_RECORD_SETTINGS_H

enum setting {
    SETTING_FILE,
    SETTING_PATHS,
    SETTING_SITES,
    SETTING_KEEP,
    SETTING_WAIT,
    SETTING_START,
    SETTING_STOP,
    N_SETTINGS
};

/* The text that the user has given; NULL if nothing, or if the program has more rights than its user. */
const char *settings_text(enum setting setting);
const char *settings_name(enum setting setting);
/* Say in one line which variables are called as if they were the tracer's, and are none. For rank 0. */
void settings_say_unknown(void);

#endif
