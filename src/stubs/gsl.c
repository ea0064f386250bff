/* Stub of what uses GSL in src/model: no growth is modeled. */
#include "model/regression.h"

int regression_fit(struct regression_model *model, const struct regression_point *points, int n_points,
                   int n_parameters, struct sim_error *error)
{
    (void)model, (void)points, (void)n_points, (void)n_parameters;
    return sim_error_set(error, SIM_BAD_INPUT, NULL, 0, "models need GSL, and this simrun was built without it");
}

struct regression_forecast regression_forecast(const struct regression_model *model, const double *x)
{
    (void)model, (void)x;
    return (struct regression_forecast){.value = 0};
}

unsigned regression_doubts(const struct regression_model *model)
{
    (void)model;
    return REGRESSION_UNSUPPORTED;
}
