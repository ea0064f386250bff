/* Identity of the program, as stores keep it with each run; cmake/identity.cmake derives it from the sources.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef EXPERIMENT_IDENTITY_H
#define EXPERIMENT_IDENTITY_H

/* "1.0.0 sources 3fa4...": version and SHA-256 of the sources that decide results. Programs of the same give the same
 * runs, whoever compiled them. */
extern const char identity_program[];

/* "gcc 14.2.0, x86_64": the compiler and the architecture. It tells runs of the same program apart where they should
 * be the same and are not. */
extern const char identity_compiler[];

#endif
