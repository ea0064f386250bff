/* Answers, as documents that are printed. */
#include "simrun/answer.h"

#include "study/runs.h"

void answer_runs(FILE *stream, const struct report_spec *format, const struct study *study)
{
    struct document document;
    document_init(&document, format->audience);
    runs_document(&document, study);
    format->write(stream, &document);
    document_dispose(&document);
}
