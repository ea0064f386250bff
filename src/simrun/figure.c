/* simrun figure PANEL FILE...: one picture of an answer, without a browser.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "figure/figure.h"

#include "base/known.h"
#include "simrun/command.h"

extern const struct command command_simulate;

static const char *panel_at(const void *table, int i)
{
    (void)table;
    return figure_panels[i].name;
}

static int refuse(const char *word, struct sim_error *error)
{
    const char *meant = known_find_meant(word, panel_at, NULL);
    return sim_error_set(
        error, SIM_BAD_INPUT, NULL, 0, "figure: unknown panel '%.80s'%s%s%s; known: simrun list panels", word,
        meant != NULL ? "; did you mean '" : "", meant != NULL ? meant : "", meant != NULL ? "'?" : "");
}

static int run(const struct options *options, struct sim_error *error)
{
    struct options asked = *options;
    asked.panel = options->files[0];
    asked.files++;
    asked.n_files--;
    const struct figure_panel *panel = figure_find(asked.panel);
    if (panel == NULL)
        return refuse(asked.panel, error);
    asked.format = options->output != NULL ? figure_format(options->output, panel) : NULL;
    if (asked.format == NULL)
        return sim_error_set(
            error, SIM_BAD_INPUT, NULL, 0,
            "figure: -o FILE names what is drawn, FILE.svg, FILE.pdf or FILE.png; try simrun figure -o %s.svg ...",
            asked.panel);
    const char *lack = asked.format->find_lack != NULL ? asked.format->find_lack() : NULL;
    if (lack != NULL)
        return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "figure: %s", lack);
    return command_simulate.run(&asked, error);
}

const struct command command_figure = {
    .name = "figure",
    .arguments = "PANEL FILE...",
    .summary = "draw one picture of an answer, as SVG, PDF or PNG",
    .about = "FILE is a scenario or a trace; -o names the picture: FILE.svg, .pdf or .png.\n",
    .example = "figure scaling gj256 -o scaling.pdf",
    .options = OPTION_BIT(OPTION_PLATFORM) | OPTION_BIT(OPTION_SET) | OPTION_BIT(OPTION_NETWORK) |
               OPTION_BIT(OPTION_JOBS) | OPTION_BIT(OPTION_STORE) | OPTION_BIT(OPTION_WHAT_IF) |
               OPTION_BIT(OPTION_BASELINE) | OPTION_BIT(OPTION_ITERATIONS) | OPTION_BIT(OPTION_OUTPUT) |
               OPTION_BIT(OPTION_WIDTH) | OPTION_BIT(OPTION_QUIET),
    .least = 2,
    .run = run,
};
