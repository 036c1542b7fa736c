import Foundation
import Synchronization

/// The running jobs, and the jobs that ended last.
final class Jobs: Sendable {
  /// The number of ended jobs that are kept.
  private static let kept = 50
  /// The maximal number of running jobs: each of them reads a whole store.
  private static let limit = 3

  private let jobs = Mutex<[Job]>([])

  /// Starts a job.
  /// - Parameters:
  ///   - origin: The page that the job belongs to.
  ///   - work: Returns the HTML of the result.
  ///   - check: Throws if the job may not run at the same time as another job.
  /// - Throws: The error of the check, and a `StudioError` if too many jobs are running.
  func start(
    _ title: String, origin: String, section: Navigation.Section, beside check: (Job) throws -> Void = { _ in },
    _ work: @escaping @Sendable (Job) async throws -> String
  ) throws -> Job {
    let job = Job(id: Self.newID(), title: title, origin: origin, section: section)
    let isTaken = try jobs.withLock { jobs in
      for other in jobs where other.outcome == nil { try check(other) }
      guard jobs.count(where: { $0.outcome == nil }) < Self.limit else { return false }
      let ended = jobs.filter { $0.outcome != nil }
      if ended.count >= Self.kept, let oldest = ended.first { jobs.removeAll { $0 === oldest } }
      jobs.append(job)
      return true
    }
    guard isTaken else {
      throw StudioError(
        .tooManyRequests, "\(Self.limit) jobs run already", "Wait until one has ended, or stop one on its page.")
    }
    job.start(work)
    return job
  }

  /// - Throws: A `StudioError` if there is no such job, or if it was removed.
  func job(_ id: String?) throws -> Job {
    guard let job = jobs.withLock({ jobs in jobs.first { $0.id == id } }) else {
      throw StudioError.notFound("There is no such job, or it ended long ago.")
    }
    return job
  }

  var running: [Job] { jobs.withLock { $0.filter { $0.outcome == nil } } }

  private static func newID() -> String { String(UInt64.random(in: 1 << 40 ... .max), radix: 36) }
}
