import Foundation
var set = cpu_set_t()
print(sched_getaffinity(getpid(), MemoryLayout<cpu_set_t>.size, &set), withUnsafeBytes(of: set) { $0.reduce(0) { $0 + $1.nonzeroBitCount } }, sysconf(Int32(_SC_NPROCESSORS_CONF)))
