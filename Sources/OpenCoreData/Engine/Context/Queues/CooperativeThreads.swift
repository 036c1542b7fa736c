import CDispatch
import Foundation

/// The threads on which Swift runs the jobs of tasks. They are few, and no other takes the place of one that computes.
enum CooperativeThreads {
  /// The label that Swift gives to the dispatch queues that it runs jobs on, one for each priority.
  private static let label: StaticString = "Swift global concurrent queue"

  /// Whether the calling code runs on such a thread, and not on the main thread, the thread of a custom executor, or a
  /// thread of the client's on which a task was begun at once.
  static var haveCaller: Bool { strcmp(dispatch_queue_get_label(nil), label.utf8Start) == 0 }

  /// How many threads run jobs of one priority at the same time; at least 1.
  ///
  /// Swift runs as many jobs as there are processors in the machine. Dispatch, whose threads they are, has as many
  /// threads as the process may use processors, and makes more of them when threads sleep. A limit of processor time,
  /// such as a container's, changes neither number.
  static var count: Int {
    let inMachine = sysconf(Int32(_SC_NPROCESSORS_CONF))
    return max(1, min(inMachine, allowedProcessors ?? inMachine))
  }

  /// The number of processors that the main thread may use; nil if the system does not tell.
  private static var allowedProcessors: Int? {
    let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status?.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed:") }
    // Hexadecimal digits, a bit for each processor.
    return line?.split(separator: ":").last?.reduce(0) { $0 + ($1.hexDigitValue?.nonzeroBitCount ?? 0) }
  }
}
