/* Where simrun's own data are: scenarios, platforms, the page. */
#ifndef OS_DATA_H
#define OS_DATA_H

/* The folder that has the folders `scenarios` and `platforms`, by where the program is: among what is installed, or the
 * sources that it was built from; to be freed. */
char *data_folder(void);

/* What the build makes for the page, as a file that may not be there; to be freed. */
char *data_page(void);

#endif
