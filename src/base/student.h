/* Student's t distribution. */
#ifndef BASE_STUDENT_H
#define BASE_STUDENT_H

/* The probability that |t| is at most `t`, t >= 0, with `degrees` >= 1 of freedom.
 * Source: M. Abramowitz, I. Stegun, Handbook of Mathematical Functions, 1964, equations 26.7.3 and 26.7.4. */
double student_within(double t, int degrees);

/* The t with student_within(t, degrees) = probability, 0 <= probability < 1. */
double student_bound(double probability, int degrees);

#endif
