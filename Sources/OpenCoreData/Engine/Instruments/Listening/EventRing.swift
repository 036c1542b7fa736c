/// The latest events, by their numbers.
struct EventRing {
  /// The number of events that are kept.
  static let capacity = 2048
  /// The greatest number of events in one answer.
  static let portion = 500
  /// The greatest number of call stacks that wait for being named.
  private static let stackLimit = 64

  struct Portion: Encodable, Sendable {
    var events: [LiveEvent] = []
    /// The number to ask from the next time.
    var next = 0
    /// The number of events that came after those the client knows and are gone. A time in which no events were noted counts as
    /// one event.
    var lost = 0
  }

  private var ring: [LiveEvent] = []
  /// The number of the event that came first after the ring was emptied: its place is 0.
  private var base = 0
  /// The number of the next event.
  private(set) var next = 0
  /// Call stacks of findings whose functions have not been named yet, by the number of the event.
  private var stacks: [Int: [UInt]] = [:]

  private var oldest: Int { next - ring.count }
  private func place(_ number: Int) -> Int { (number - base) % Self.capacity }

  /// - Parameter stack: the call stack by which the event's function is named later.
  mutating func put(_ event: LiveEvent, stack: [UInt]? = nil) {
    var event = event
    event.number = next
    if ring.count < Self.capacity { ring.append(event) } else { ring[place(next)] = event }
    next += 1
    guard let stack else { return }
    if stacks.count >= Self.stackLimit {
      let oldest = oldest
      stacks = stacks.filter { $0.key >= oldest }
    }
    if stacks.count < Self.stackLimit { stacks[event.number] = stack }
  }

  /// Empties the ring, since no events are noted from now on. One number is left out, by which clients see that some are missing.
  mutating func interrupt() {
    (ring, stacks) = ([], [:])
    next += 1
    base = next
  }

  /// The numbers of the events to tell from a number on.
  private func range(from number: Int) -> Range<Int> {
    let first = max(number, oldest)
    return first..<min(first + Self.portion, next)
  }

  /// The events from a number on; only the number of the next event if it is nil or no number of an event.
  func events(from number: Int?) -> Portion {
    guard let number, number <= next, number >= 0 else { return Portion(next: next) }
    let range = range(from: number)
    return Portion(
      events: range.map { ring[place($0)] }, next: range.upperBound, lost: range.lowerBound - number)
  }

  /// The call stacks of the events that `events(from:)` gives for the number.
  func stacks(from number: Int?) -> [Int: [UInt]] {
    guard !stacks.isEmpty, let number, number <= next, number >= 0 else { return [:] }
    let range = range(from: number)
    return stacks.filter { range.contains($0.key) }
  }

  /// Names the function of an event, if it is still there; nil if none can be told.
  mutating func name(_ number: Int, caller: String?) {
    stacks[number] = nil
    if number >= oldest, number < next { ring[place(number)].caller = caller }
  }
}
