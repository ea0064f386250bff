/* Finds simrun's own files: scenarios, platforms, the page, the laboratory; and programs and libraries that it runs.
 * SPDX-License-Identifier: BSD-3-Clause */
#ifndef OS_DATA_H
#define OS_DATA_H

#include <stdbool.h>

/* The folder that has the folders `scenarios` and `platforms`, by where the program is: among what is installed, or the
 * sources that it was built from; to be freed. */
char *data_folder(void);

/* True if the program lies in its build: then what the build can make, and has not made, can still be made. */
bool data_is_build(void);
/* The folder of data_folder() if scenarios or platforms are missing there, to be freed; NULL: they are there. */
char *data_lack(void);

/* The folder of the applications' own source, which may not be there; to be freed. */
char *data_apps(void);

/* Files that the build makes for the page and the laboratory, and that may not be there; to be freed. */
char *data_page(void);
char *data_lab(void);
/* The simulator for pages that simulate, in the form of blocks of a page. */
char *data_engine(void);
/* The file that is written behind the laboratory where its solutions are asked for. */
char *data_solutions(void);

/* A program, and a library, of simrun's own, which may not be there; to be freed. */
char *data_program(const char *name);
char *data_library(const char *name);

#endif
