/* Which part of the time grows fastest, in a sentence.
 * SPDX-License-Identifier: BSD-3-Clause */
#include "study/models/growth_words.h"
#include <ctype.h>

#include <math.h>

#define LARGE_SHARE 0.05 /* of the time */

/* "64 ranks", "N = 960". */
void growth_add_place(struct builder *text, const struct models *models, double x)
{
    if (!models->over_ranks)
        builder_add(text, "%s = ", models->parameters[0]);
    builder_add(text, x < 1e9 && x == floor(x) ? "%.0f" : "%.4g", x);
    if (models->over_ranks)
        builder_add(text, x == 1 ? " rank" : " ranks");
}

/* "computation", "transfer in MPI_Bcast", "waiting in scope solve (late sender)". */
static void add_part(struct builder *text, const struct growth *growth, const struct growth_row *row)
{
    builder_add(text, "%s", part_kind_name(row->kind > DOING_WAITING ? DOING_WAITING : row->kind));
    if (row->type == GROWTH_NO_FUNCTION)
        builder_add(text, " outside of functions");
    else if (row->type == GROWTH_NAMED)
        builder_add(text, " %s %s", growth->group == PARTS_SCOPES ? "in scope" : "in", row->name);
    if (row->kind > DOING_WAITING && row->kind < N_PART_KINDS)
        builder_add(text, " (%s)", part_kind_name(row->kind));
}

static void add_percent(struct builder *text, double share)
{
    builder_add(text, share >= 0.0995 || share == 0 ? "%.0f" : "%.1f", 100 * share);
}

/* "58 % (41 to 71 %)". */
static void add_share(struct builder *text, const struct growth_row *row)
{
    add_percent(text, row->share);
    builder_add(text, " %% (");
    add_percent(text, row->share_low);
    builder_add(text, " to ");
    add_percent(text, row->share_high);
    builder_add(text, " %%)");
}

bool growth_is_supported(const struct growth_row *row)
{
    return row->is_told && (row->forecast.doubts & REGRESSION_UNSUPPORTED) == 0;
}

static void add_way(struct builder *text, const struct models *models, const struct growth_row *row)
{
    char term[120];
    growth_term(term, sizeof term, models, row);
    if (row->way == GROWTH_LEVELS_OFF)
        builder_add(text, ", toward a bound");
    else
        builder_add(text, ", as %s", term);
}

/* ". Not supported by the data: the band is wider than the value"; the first sentence says why. */
static void add_doubts(struct builder *text, const struct growth *growth, const struct growth_row *row)
{
    const char *before = ": ";
    if (!growth_is_supported(row))
        builder_add(text, ". Not supported by the data");
    for (int d = 0; growth->group == PARTS_FUNCTIONS && models_doubts[d].words != NULL; d++)
        if (row->forecast.doubts & models_doubts[d].doubt) {
            builder_add(text, "%s%s", before, models_doubts[d].words);
            before = "; ";
        }
}

static void describe_growing(struct builder *text, const struct models *models, const struct growth *growth)
{
    const struct growth_row *most = &growth->rows[growth->most];
    const struct growth_row *fastest = growth->fastest >= 0 ? &growth->rows[growth->fastest] : most;
    builder_add(text, "%s ", text->length > 0 ? "at" : "At");
    growth_add_place(text, models, growth->at);
    builder_add(text, " ");
    add_share(text, most);
    builder_add(text, " of the time will be ");
    add_part(text, growth, most);
    builder_add(text, ": it %s", most == fastest ? "grows fastest" : "adds most to the time");
    add_way(text, models, most);
    add_doubts(text, growth, most);
    if (most == fastest)
        return;
    builder_add(text, ". ");
    size_t first = text->length;
    add_part(text, growth, fastest);
    text->text[first] = (char)toupper((unsigned char)text->text[first]);
    builder_add(text, " grows faster");
    add_way(text, models, fastest);
    builder_add(text, ", to ");
    add_share(text, fastest);
    if (!growth_is_supported(fastest))
        builder_add(text, ", which is not supported");
}

/* The largest row of one kind, of which there is a forecast; NULL: none. */
static const struct growth_row *find_largest(const struct growth *growth)
{
    const struct growth_row *largest = NULL;
    for (int i = 0; i < growth->n_rows; i++)
        if (growth->rows[i].kind != DOING_MIXED && growth->rows[i].is_told &&
            (largest == NULL || growth->rows[i].share > largest->share))
            largest = &growth->rows[i];
    return largest;
}

static void describe_none(struct builder *text, const struct models *models, const struct growth *growth,
                          const struct growth_row *largest)
{
    builder_add(text, "%s part is seen to grow; at ", text->length > 0 ? "no" : "No");
    growth_add_place(text, models, growth->at);
    builder_add(text, " ");
    add_share(text, largest);
    builder_add(text, " of the time will be ");
    add_part(text, growth, largest);
    add_doubts(text, growth, largest);
}

/* True if the part that has grown most is large, and no formula says so. */
static bool has_grown(const struct growth *growth)
{
    const struct growth_row *row = growth->most_measured >= 0 ? &growth->rows[growth->most_measured] : NULL;
    return row != NULL && !row->is_told && row->last_share >= LARGE_SHARE;
}

/* Tell what was measured, where no formula can be told. */
static void describe_measured(struct builder *text, const struct models *models, const struct growth *growth)
{
    const struct growth_row *row = growth->most_measured >= 0 ? &growth->rows[growth->most_measured] : NULL;
    if (row == NULL) {
        builder_add(text, "%s part has grown", text->length > 0 ? "no" : "No");
    } else {
        builder_add(text, "%s ", text->length > 0 ? "from" : "From");
        growth_add_place(text, models, growth->first);
        builder_add(text, " to ");
        growth_add_place(text, models, growth->last);
        builder_add(text, " ");
        add_part(text, growth, row);
        builder_add(text, " grew most, from ");
        add_percent(text, isnan(row->first_share) ? 0 : row->first_share);
        builder_add(text, " to ");
        add_percent(text, row->last_share);
        builder_add(text, " %% of the time");
    }
    if (row != NULL && growth->n_places >= REGRESSION_GROWTH_POINTS)
        builder_add(text, ". No formula holds at the last place");
    else if (growth->group == PARTS_FUNCTIONS)
        builder_add(text, ". %d different values of %s are too few for a formula: it takes %d, and %d to support one",
                    growth->n_places, models->parameters[0], REGRESSION_GROWTH_POINTS, REGRESSION_FEW_POINTS + 1);
}

char *growth_describe(const struct models *models, const struct growth *growth)
{
    const struct growth_row *largest = find_largest(growth);
    struct builder text = {0};
    if (growth->series[0] != '\0')
        builder_add(&text, "%s: ", growth->series);
    builder_add(&text, "%s", growth->group != PARTS_SCOPES ? "" : text.length > 0 ? "by scope: " : "By scope: ");
    if (growth->most >= 0)
        describe_growing(&text, models, growth);
    else if (largest != NULL && !has_grown(growth))
        describe_none(&text, models, growth, largest);
    else
        describe_measured(&text, models, growth);
    builder_add(&text, ".");
    return builder_take(&text);
}
