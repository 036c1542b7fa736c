#include <stdlib.h>
#include <string.h>

#include "server_workloads.h"

int run_server_workload(const char *name, const char *url) {
  static const struct {
    const char *name;
    void (*run)(const char *url, const char *name, int count);
  } workloads[] = {{"pg-prepare", run_server_prepare},   {"pg-prepare-pairs", run_server_prepare_pairs},
                   {"pg-batch", run_server_batch},       {"pg-save", run_server_save},
                   {"pg-saves", run_server_saves},       {"pg-writers", run_server_writers},
                   {"pg-fetch", run_server_fetch},       {"pg-rows", run_server_rows},
                   {"pg-faults", run_server_faults},     {"pg-prefetch", run_server_prefetch},
                   {"pg-merge", run_server_merge}};
  const char *dash = strrchr(name, '-');
  for (size_t i = 0; dash && i < sizeof workloads / sizeof *workloads; i++) {
    size_t length = dash - name;
    if (strlen(workloads[i].name) != length || strncmp(workloads[i].name, name, length)) continue;
    workloads[i].run(url, name, atoi(dash + 1));
    return 1;
  }
  return 0;
}
