#include "memory.h"

#include <stdio.h>
#include <string.h>

static long field(const char *name) {
  FILE *file = fopen("/proc/self/status", "r");
  char line[256];
  long value = 0;
  while (file && fgets(line, sizeof line, file)) {
    if (!strncmp(line, name, strlen(name)) && sscanf(line + strlen(name), ": %ld", &value) == 1) break;
  }
  if (file) fclose(file);
  return value;
}

long memory_resident(void) { return field("VmRSS"); }

long memory_peak(void) { return field("VmHWM"); }

// Where the system does not allow it the peak is that of the process.
void memory_forget_peak(void) {
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return;
  fputs("5", file);
  fclose(file);
}
