import Testing

@_spi(Store) @testable import OpenCoreData

/// What the pool of readers decides, in every order of events up to a length.
@Suite struct ReaderPoolPolicyTests {
  /// Three transactions and two generations, and who has which connection.
  private struct State {
    var policy: ReaderPoolPolicy<Int>
    var held: [ObjectIdentifier: (connection: Int, database: Int)] = [:]
    var last = 0
    /// The database at which each connection was opened.
    var databases: [Int] = []
    var trace: [String] = []
  }

  private final class Reader {}
  private let transactions: [Reader], generations: [Reader]

  init() {
    (transactions, generations) = ([Reader(), Reader(), Reader()], [Reader(), Reader()])
  }

  private enum Event {
    case come(Int, fails: Bool), go(Int), handOver(Int, Int), pin(Int), unpin(Int), change, close, reap
  }

  /// What can happen next.
  private func events(_ state: State) -> [Event] {
    var events: [Event] = state.policy.isClosed ? [.change] : [.change, .close]
    if state.policy.reaperIsSet { events.append(.reap) }
    for index in transactions.indices {
      if state.held[ObjectIdentifier(transactions[index])] == nil {
        events += [.come(index, fails: false), .come(index, fails: true)]
      } else {
        events.append(.go(index))
        let others = transactions.indices.filter { state.held[ObjectIdentifier(transactions[$0])] == nil }
        events += others.map { .handOver(index, $0) }
      }
    }
    for index in generations.indices {
      if state.held[ObjectIdentifier(generations[index])] != nil {
        events.append(.unpin(index))
      } else if !state.policy.isClosed {
        events.append(.pin(index))
      }
    }
    return events
  }

  private func open(_ state: inout State, for id: ObjectIdentifier) {
    state.held[id] = (state.databases.count, state.policy.database)
    state.databases.append(state.policy.database)
  }

  private func happen(_ event: Event, _ state: inout State) {
    state.trace.append("\(event)")
    switch event {
    case .come(let index, let fails):
      let id = ObjectIdentifier(transactions[index]), (count, idle) = (state.policy.openCount, state.policy.idle)
      switch state.policy.take(id) {
      case .idle(let connection):
        #expect(idle.contains(connection))
        state.held[id] = (connection, state.policy.database)
      case .new where fails:
        state.policy.failedToOpen(for: id)
        #expect(state.policy.openCount == count && !state.policy.transactions.contains(id))
      case .new: open(&state, for: id)
      // Nobody waits while there is a connection.
      case .none: #expect(idle.isEmpty && count == state.policy.limit, "\(state.trace)")
      }
      _ = state.policy.setsReaper()
    case .go(let index):
      let id = ObjectIdentifier(transactions[index])
      guard let (connection, database) = state.held.removeValue(forKey: id) else { return }
      let kept = state.policy.give(connection, of: database, from: id) == .kept
      #expect(kept == (!state.policy.isClosed && database == state.policy.database), "\(state.trace)")
    case .handOver(let index, let other):
      let (id, next) = (ObjectIdentifier(transactions[index]), ObjectIdentifier(transactions[other]))
      guard let (connection, database) = state.held.removeValue(forKey: id) else { return }
      let isTaken = state.policy.handOver(of: database, from: id, to: next)
      #expect(isTaken == (database == state.policy.database), "\(state.trace)")
      if isTaken { state.held[next] = (connection, database) }
    case .pin(let index):
      let id = ObjectIdentifier(generations[index])
      switch state.policy.pin(id) {
      case .idle(let connection): state.held[id] = (connection, state.policy.database)
      case .new: open(&state, for: id)
      case .none: #expect(state.policy.generations.count == state.policy.limit, "\(state.trace)")
      }
    case .unpin(let index):
      let id = ObjectIdentifier(generations[index])
      guard let (connection, database) = state.held.removeValue(forKey: id) else { return }
      _ = state.policy.unpin(connection, of: database, from: id)
    case .change: state.policy.changeDatabase()
    case .close: state.policy.close()
    case .reap:
      let (again, isIdle) = state.policy.reaped()
      #expect(!(again && isIdle) && state.policy.reaperIsSet == again, "\(state.trace)")
    }
  }

  /// What is so after every event.
  private func check(_ state: State) {
    let policy = state.policy, trace = state.trace
    let reading = transactions.filter { state.held[ObjectIdentifier($0)] != nil }
    let pinned = generations.filter { state.held[ObjectIdentifier($0)] != nil }
    #expect(policy.transactions == Set(reading.map(ObjectIdentifier.init)), "\(trace)")
    #expect(policy.generations == Set(pinned.map(ObjectIdentifier.init)), "\(trace)")
    #expect(policy.openCount == reading.count + policy.idle.count, "\(trace)")
    #expect(policy.openCount <= policy.limit && policy.generations.count <= policy.limit, "\(trace)")
    // Nobody shares a connection, and an idle one is of the database that there is now.
    let all = policy.idle + state.held.values.map(\.connection)
    #expect(Set(all).count == all.count, "\(trace)")
    #expect(policy.idle.allSatisfy { state.databases[$0] == policy.database }, "\(trace)")
    #expect(!policy.isClosed || policy.idle.isEmpty, "\(trace)")
  }

  private func walk(_ state: State, _ depth: Int, _ count: inout Int) {
    count += 1
    if depth == 0 { return check(state) }
    for event in events(state) {
      var next = state
      happen(event, &next)
      walk(next, depth - 1, &count)
    }
  }

  @Test(arguments: [1, 2]) func everyOrderOfEvents(limit: Int) {
    var count = 0
    walk(State(policy: ReaderPoolPolicy(limit: limit)), 4, &count)
    #expect(count > 10_000)
  }

  /// Long orders, by chance.
  @Test func longOrdersOfEvents() {
    let seed = UInt64.random(in: 1 ... .max)
    print("reader pool policy: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var state = State(policy: ReaderPoolPolicy(limit: Int.random(in: 1...3, using: &random)))
      for _ in 0..<60 {
        guard
          let event = events(state).filter({ if case .close = $0 { false } else { true } }).randomElement(
            using: &random)
        else { break }
        happen(event, &state)
        check(state)
      }
    }
  }
}
