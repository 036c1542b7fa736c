import Dispatch

/// Threads for work that waits for a disk or a server.
///
/// The pool of Swift's tasks has only a thread for each core, so two long queries there could stop the whole studio.
final class StoreThreads: TaskExecutor {
  static let shared = StoreThreads()

  private let queue = DispatchQueue(label: "studio.stores", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
