/* Reading traces without simulating them: records of a second, rank by rank and by turns. */
#include "os/host_use.h"
#include "trace/formats.h"

#include <stdio.h>
#include <stdlib.h>

int main(int n, char **arguments)
{
    for (int i = 1; i < n; i++) {
        struct record_reader reader;
        struct sim_error error = {0};
        struct record record;
        double start_s = host_clock_s();
        long count = 0;
        if (record_open(&reader, arguments[i], &error) != 0)
            return 1;
        double opened_s = host_clock_s();
        int left = 1;
        while (left > 0) {
            left = 0;
            for (int r = 0; r < reader.info.n_ranks; r++) {
                int status = record_next(&reader, r, &record, &error);
                if (status < 0)
                    return 1;
                left += status;
            }
            count += left;
        }
        double end_s = host_clock_s();
        printf("%-30s %10ld records, open %.3f s, by turns %.3f s: %.2f million/s\n", arguments[i], count, opened_s - start_s, end_s - opened_s,
               1e-6 * (double)count / (end_s - start_s));
        record_close(&reader);
    }
    return 0;
}
