import CoreDataTools
import Foundation
import Synchronization

/// Work that takes longer than a request may: verifying a store, trying an index, rehearsing a migration, running a test.
///
/// A job goes on if its page is closed. The page shows the progress, and in the end the result.
final class Job: Sendable {
  /// The progress of a job.
  struct Progress: Sendable, Encodable {
    var text: String
    var done: Int
    /// The total; 0 if it is not known.
    var total: Int
  }

  /// The end of a job.
  enum Outcome: Sendable {
    /// The work has ended with a part of a page.
    case finished(html: String)
    case failed(title: String, text: String)
    /// The user stopped the job. The text is the job's last message, if there is one.
    case stopped(said: String?)
  }

  private struct State {
    var progress: Progress
    var outcome: Outcome?
    var task: Task<Void, Never>?
    var isStopped = false
    var listeners: [Int: AsyncStream<Void>.Continuation] = [:]
    var nextListener = 0
  }

  let id: String
  let title: String
  /// The page that the job was started from.
  let origin: String
  let section: Navigation.Section
  private let state: Mutex<State>

  init(id: String, title: String, origin: String, section: Navigation.Section) {
    (self.id, self.title, self.origin, self.section) = (id, title, origin, section)
    state = Mutex(State(progress: Progress(text: "Starting", done: 0, total: 0)))
  }

  var link: String { Link.path("jobs", id) }
  var progress: Progress { state.withLock(\.progress) }
  var outcome: Outcome? { state.withLock(\.outcome) }

  /// Whether the user stopped the job; the work checks this property regularly.
  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Sets the progress.
  /// - Throws: `CancellationError` if the user stopped the job.
  func report(_ text: String, _ done: Int = 0, of total: Int = 0) throws {
    tell { $0.progress = Progress(text: text, done: done, total: total) }
    if isStopped { throw CancellationError() }
  }

  func start(_ work: @escaping @Sendable (Job) async throws -> String) {
    let task = Task(executorPreference: StoreThreads.shared) { [self] in
      let outcome: Outcome
      do {
        outcome = .finished(html: try await work(self))
      } catch is CancellationError {
        outcome = .stopped(said: nil)
      } catch  where isStopped {
        // The message may say, for example, whether the store was changed.
        outcome = .stopped(said: (error as? StudioError)?.text ?? ErrorText.text(of: error))
      } catch let error as StudioError {
        outcome = .failed(title: error.title, text: error.text)
      } catch {
        outcome = .failed(title: "It failed", text: ErrorText.text(of: error))
      }
      tell { $0.outcome = outcome }
      end()
    }
    state.withLock { $0.task = task }
  }

  func stop() {
    let task = state.withLock { state in
      state.isStopped = true
      return state.task
    }
    task?.cancel()
  }

  // MARK: Listeners

  /// Returns a stream that has an element after a change; several changes may be one element. The stream ends with the job.
  func changes() -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    let number: Int? = state.withLock { state in
      guard state.outcome == nil else { return nil }
      state.nextListener += 1
      state.listeners[state.nextListener] = continuation
      return state.nextListener
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [self] _ in _ = state.withLock { $0.listeners.removeValue(forKey: number) } }
    return stream
  }

  private func tell(_ change: (inout State) -> Void) {
    let listeners = state.withLock { state in
      change(&state)
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.yield() }
  }

  private func end() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }
}

extension Job {
  /// Sets the progress, as a tool reports it.
  func report(_ progress: ToolProgress) throws {
    try report(progress.text, progress.done, of: progress.total ?? 0)
  }
}
