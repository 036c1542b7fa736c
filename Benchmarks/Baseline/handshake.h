// Work whose flights another process counts, and whose elapsed time it takes: as Sources/Workloads/Handshake.swift.
#ifndef HANDSHAKE_H
#define HANDSHAKE_H
#include "measure.h"

// Whether flights are counted in this process.
int handshake(void);
// Does work once, then again whenever a line 'go' comes, until another line does. Says 'begin NAME' when it is prepared, and
// 'end NAME <wall ms> <answer>' when it is done.
void handshake_measure(const Work *work);

#endif
