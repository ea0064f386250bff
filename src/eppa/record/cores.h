/* The cores that this rank and those on its host may use. */
#ifndef EPPA_RECORD_CORES_H
#define EPPA_RECORD_CORES_H

/* Find out, together with all ranks, and write it down; with fewer cores than ranks, recorder.is_crowded is set. */
void cores_look(void);

#endif
