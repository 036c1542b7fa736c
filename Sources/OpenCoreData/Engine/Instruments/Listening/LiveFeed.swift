import CRuntime
import Dispatch
import Foundation
import OpenCocoaFoundation
import Synchronization

/// The latest events of the process, for clients that look into the running program; empty while none does.
///
/// The program puts an event into a ring and goes on. A client that is too slow loses events and is told how many.
package final class LiveFeed: Sendable {
  package static let shared = LiveFeed()

  private struct State {
    var ring = EventRing()
    var doing: [UInt64: [Doing]] = [:]
    var repetitions = Repetitions()
    /// The number of listeners that have started the feed.
    var users = 0
  }

  /// What a thread is doing.
  struct Doing: Sendable {
    let kind: RecordedActivity.Kind
    let words: String
    let began: UInt64
    let isMain: Bool
  }

  private let state = Mutex(State())

  // MARK: On and off

  func start() {
    state.withLock { state in
      state.users += 1
      Watchers.set(.live, true)
    }
  }

  func stop() {
    state.withLock { state in
      state.users -= 1
      if state.users > 0 { return }
      Watchers.set(.live, false)
      var ring = state.ring
      ring.interrupt()
      state = State()
      state.ring = ring
    }
  }

  // MARK: What the program tells

  func begin(_ kind: RecordedActivity.Kind, _ entity: NSEntityDescription?) {
    let thread = runtime_thread_number()
    let words = "a \(kind.words)" + (entity?.name.map { " of \($0)" } ?? "")
    let doing = Doing(
      kind: kind, words: words, began: DispatchTime.now().uptimeNanoseconds, isMain: Thread.isMainThread)
    state.withLock { state in
      if state.doing[thread, default: []].count < 16 { state.doing[thread, default: []].append(doing) }
    }
  }

  /// Ends the latest activity of that kind, and those inside of it that an error has ended.
  func end(_ kind: RecordedActivity.Kind) {
    let thread = runtime_thread_number()
    state.withLock { state in
      guard var list = state.doing[thread], let place = list.lastIndex(where: { $0.kind == kind }) else { return }
      list.removeSubrange(place...)
      state.doing[thread] = list.isEmpty ? nil : list
    }
  }

  func note(_ activity: RecordedActivity, _ predicate: NSPredicate?, _ sort: [NSSortDescriptor]?, began: UInt64) {
    let now = DispatchTime.now().uptimeNanoseconds
    var text = predicate.map { PredicateShape.text(of: $0) } ?? activity.detail
    if let sort, !sort.isEmpty { text = "\(text.map { "\($0) " } ?? "")sorted by \(RecordedSort.text(of: sort))" }
    let relationship = activity.relationship.map { "\($0.entity.name ?? "").\($0.name)" }
    var event = LiveEvent(
      time: Date().timeIntervalSince1970, kind: "\(activity.kind)", thread: runtime_thread_number(),
      milliseconds: Double(now &- began) / 1e6)
    (event.entity, event.relationship, event.text) = (activity.entity?.name, relationship, text)
    event.rows = activity.rows
    if activity.kind == .save { (event.updated, event.deleted) = (activity.updated, activity.deleted) }
    if activity.failed { event.failed = true }
    guard activity.kind.mayRepeat, !activity.failed else { return put(event) }
    let told = event
    CallStack.withCurrent { frames, hash in
      let key = Repetitions.Key(
        thread: told.thread, stack: hash, kind: activity.kind, subject: relationship ?? told.entity ?? "",
        text: text ?? "")
      state.withLock { state in
        state.ring.put(told)
        guard let run = state.repetitions.note(key, rows: activity.rows, began: began, ended: now) else { return }
        state.ring.put(run.finding(of: key, told), stack: Array(frames))
      }
    }
  }

  /// Notes a statement that has run.
  package func noteStatement(_ sql: String, rows: Int, since began: UInt64) {
    var event = LiveEvent(
      time: Date().timeIntervalSince1970, kind: "statement", thread: runtime_thread_number(),
      milliseconds: Double(DispatchTime.now().uptimeNanoseconds &- began) / 1e6)
    event.text = String(sql.prefix(2000))
    event.rows = rows
    put(event)
  }

  private func put(_ event: LiveEvent) { state.withLock { $0.ring.put(event) } }

  // MARK: What a client is told

  /// The events from a number on; only the number of the next event if it is nil.
  func events(from number: Int?) -> EventRing.Portion {
    let (portion, stacks) = state.withLock { ($0.ring.events(from: number), $0.ring.stacks(from: number)) }
    guard !stacks.isEmpty else { return portion }
    // Functions are named outside of the lock, once for all clients.
    let callers = CallerName.callers(stacks)
    return state.withLock { state in
      for number in stacks.keys { state.ring.name(number, caller: callers[number]) }
      var portion = portion
      for index in portion.events.indices {
        if let caller = callers[portion.events[index].number] { portion.events[index].caller = caller }
      }
      return portion
    }
  }

  /// What a thread is doing, in words; nil if it is not known.
  func doing(_ isMeant: (UInt64, Doing) -> Bool) -> String? {
    let all = state.withLock { $0.doing }
    let doing = all.first { thread, list in list.last.map { isMeant(thread, $0) } ?? false }?.value.first
    guard let doing else { return nil }
    let milliseconds = (DispatchTime.now().uptimeNanoseconds &- doing.began) / 1_000_000
    return "\(doing.words), for \(milliseconds) ms"
  }
}
