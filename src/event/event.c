#include "event/event.h"

const char *const lane_state_names[N_LANE_STATES] = {"useful", "control", "send", "receive", "idle"};
