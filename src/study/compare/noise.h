/* Is a difference between two samples more than noise: the rank-sum test of Wilcoxon, and of Mann and Whitney (1947),
 * two-sided.
 *
 * It takes nothing for granted of how times scatter. For few values p is exact: the share of all ways to deal the
 * values to two groups in which the ranks' sum is as far from its mean as it is, or further; equal values have the
 * mean of their ranks.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef STUDY_COMPARE_NOISE_H
#define STUDY_COMPARE_NOISE_H

/* p is exact for so many values in all; for more it is that of the normal distribution. */
enum { NOISE_EXACT = 40 };

/* p of that difference; 1 for samples without values, or with NAN. */
double noise_p(const double *first, int n_first, const double *second, int n_second);
/* The least p that samples of such sizes can have, if no values are equal. */
double noise_least_p(int n_first, int n_second);

/* Adjusted p of many differences at once: values[row * (n_first + n_second) + run]. p[row] <= a for any row without a
 * difference has a probability of a at most, however many rows there are and whichever depend on each other: p is the
 * share of all ways to deal the runs to two groups in which any row differs as clearly as this one (Westfall and Young
 * 1993, single-step maxT). How clearly a row differs is the share of its variance that lies between the groups. With
 * more than NOISE_DEALT runs, p is that of the rank-sum test times the number of rows (Bonferroni). */
enum { NOISE_DEALT = 14 };
void noise_adjusted_p(double *p, const double *values, int n_rows, int n_first, int n_second);

#endif
