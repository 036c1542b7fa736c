import CoreDataTools
import Foundation
import Synchronization

/// Work that takes longer than a page may: verifying a store, trying an index, rehearsing a migration, running a test.
///
/// A job goes on while nobody looks. Its page shows how far it is, and in the end what came of it.
final class Job: Sendable {
  /// How far a job is.
  struct Progress: Sendable, Encodable {
    var text: String
    var done: Int
    /// 0 where nobody knows how much there is.
    var total: Int
  }

  /// What came of it.
  enum Outcome: Sendable {
    /// A part of a page.
    case finished(html: String)
    case failed(title: String, text: String)
    /// It ended because somebody asked it to; with what it said then, where that was more than that it stops.
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
  /// The page that it was started from.
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

  /// Whether somebody asked it to end; the work looks now and then.
  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Tells how far it is.
  /// - Throws: `CancellationError` if somebody asked it to end.
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
        // Such as that nothing was changed, or that something was.
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

  /// Tells whenever something has changed, at least once; several changes may be told as one. Ends with the job.
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
  /// Tells how far it is, in the words of a tool.
  func report(_ progress: ToolProgress) throws {
    try report(progress.text, progress.done, of: progress.total ?? 0)
  }
}
