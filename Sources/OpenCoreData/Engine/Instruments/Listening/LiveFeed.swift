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
  /// The number of events that are kept.
  static let capacity = 2048
  /// The greatest number of events in one answer.
  static let portion = 500

  private struct State {
    var ring: [LiveEvent] = []
    /// The number of the next event.
    var next = 0
    var doing: [UInt64: [Doing]] = [:]
    var repetitions = Repetitions()
    /// Call stacks of findings whose functions have not been named yet, by the number of the event.
    var stacks: [Int: [UInt]] = [:]
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
      let next = state.next
      state = State()
      state.next = next
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
        Self.put(told, &state)
        guard let run = state.repetitions.note(key, rows: activity.rows, began: began, ended: now) else { return }
        let number = state.next
        Self.put(run.finding(of: key, told), &state)
        if state.stacks.count < 64 { state.stacks[number] = Array(frames) }
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

  private func put(_ event: LiveEvent) { state.withLock { Self.put(event, &$0) } }

  private static func put(_ event: LiveEvent, _ state: inout State) {
    var event = event
    event.number = state.next
    if state.ring.count < capacity {
      state.ring.append(event)
    } else {
      state.ring[state.next % capacity] = event
    }
    state.next += 1
  }

  // MARK: What a client is told

  struct Portion: Encodable, Sendable {
    var events: [LiveEvent] = []
    /// The number to ask from the next time.
    var next = 0
    /// The number of events that came after those the client knows and are gone.
    var lost = 0
  }

  /// The events from a number on; only the number of the next event if it is nil.
  func events(from number: Int?) -> Portion {
    let (portion, stacks) = state.withLock { state -> (Portion, [Int: [UInt]]) in
      guard let number, number <= state.next, number >= 0 else { return (Portion(next: state.next), [:]) }
      // The ring may have been emptied since.
      let oldest = state.next - state.ring.count
      let first = max(number, oldest), last = min(first + Self.portion, state.next)
      // In a ring that is not full, the place of an event is its distance from the oldest.
      let isFull = state.ring.count == Self.capacity
      let events = (first..<max(first, last)).map { state.ring[isFull ? $0 % Self.capacity : $0 - oldest] }
      let stacks = state.stacks
      state.stacks = [:]
      return (Portion(events: events, next: max(first, last), lost: first - number), stacks)
    }
    return stacks.isEmpty ? portion : named(portion, stacks)
  }

  private func named(_ portion: Portion, _ stacks: [Int: [UInt]]) -> Portion {
    var portion = portion
    let callers = CallerName.callers(stacks)
    for index in portion.events.indices { portion.events[index].caller = callers[portion.events[index].number] }
    return portion
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
