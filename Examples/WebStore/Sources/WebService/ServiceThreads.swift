import Dispatch

/// Threads for work that waits for a disk: the pool of Swift's tasks has only a thread for each core, and clients in the same
/// process wait there for their answers.
final class ServiceThreads: TaskExecutor {
  static let shared = ServiceThreads()

  private let queue = DispatchQueue(label: "webservice", attributes: .concurrent)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
