// Resident memory of this process, in kB.
#ifndef MEMORY_H
#define MEMORY_H

long memory_resident(void);
// The most since the process began, or since the last memory_forget_peak.
long memory_peak(void);
void memory_forget_peak(void);

#endif
