#include "base/student.h"

#include <math.h>

#define HALF_PI 1.57079632679489661923

/* Beyond so many degrees the distribution is the normal one to three digits, and the series is long. */
enum { MAX_DEGREES = 2000 };

/* Of the angle whose tangent is t / sqrt(degrees). The series is that of the equations, term from term. */
static double within_angle(double angle, int degrees)
{
    double cosine = cos(angle), sum = 0;
    if (degrees % 2 == 0) {
        double term = 1;
        for (int k = 0; k <= degrees - 2; k += 2) {
            sum += term;
            term *= cosine * cosine * (k + 1) / (k + 2);
        }
        return sin(angle) * sum;
    }
    double term = cosine;
    for (int k = 1; k <= degrees - 2; k += 2) {
        sum += term;
        term *= cosine * cosine * (k + 1) / (k + 2);
    }
    return (angle + sin(angle) * sum) / HALF_PI;
}

double student_within(double t, int degrees)
{
    degrees = degrees < MAX_DEGREES ? degrees : MAX_DEGREES;
    return within_angle(atan(t / sqrt(degrees)), degrees);
}

double student_bound(double probability, int degrees)
{
    degrees = degrees < MAX_DEGREES ? degrees : MAX_DEGREES;
    double low = 0, high = HALF_PI;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (within_angle(middle, degrees) < probability)
            low = middle;
        else
            high = middle;
    }
    return sqrt(degrees) * tan((low + high) / 2);
}
