/* Where simrun's own data are: scenarios, platforms, the page, the laboratory. */
#ifndef OS_DATA_H
#define OS_DATA_H

/* The folder that has the folders `scenarios` and `platforms`, by where the program is: among what is installed, or the
 * sources that it was built from; to be freed. */
char *data_folder(void);

/* Files that the build makes for the page and the laboratory, and that may not be there; to be freed. */
char *data_page(void);
char *data_lab(void);
/* The file that is written behind the laboratory where its solutions are asked for. */
char *data_solutions(void);

#endif
