#if PostgreSQL
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("What the pool decides")
  struct ConnectionPoolPolicyTests {
    /// Returns what a ticket has been granted, as a text.
    private func grant(_ ticket: Int, _ policy: inout ConnectionPoolPolicy<Int>) -> String {
      switch policy.collect(ticket) {
      case .idle(let connection): "\(connection)"
      case .new: "new"
      case .closed: "closed"
      case nil: "waits"
      }
    }

    @Test func noMoreThanTheLimitAreOpened() {
      var policy = ConnectionPoolPolicy<Int>(limit: 2)
      let tickets = (0..<4).map { _ in policy.take() }
      #expect(tickets.map { grant($0, &policy) } == ["new", "new", "waits", "waits"])
      #expect(policy.openCount == 2)
      #expect(policy.give(1, isUsable: true) == .kept)
      #expect(grant(tickets[3], &policy) == "waits")
      #expect(grant(tickets[2], &policy) == "1")
      // A connection that is lost makes room for a new one.
      #expect(policy.give(2, isUsable: false) == .dropped)
      #expect(grant(tickets[3], &policy) == "new")
      #expect(policy.openCount == 2)
      #expect(policy.waiting == [])
    }

    @Test func whoComesLaterDoesNotOvertake() {
      var policy = ConnectionPoolPolicy<Int>(limit: 1)
      let first = policy.take()
      #expect(grant(first, &policy) == "new")
      let second = policy.take()
      #expect(policy.give(1, isUsable: true) == .kept)
      let third = policy.take()
      #expect(grant(third, &policy) == "waits")
      #expect(grant(second, &policy) == "1")
    }

    @Test func whoGivesUpIsPassedOver() {
      var policy = ConnectionPoolPolicy<Int>(limit: 1)
      let tickets = (0..<3).map { _ in policy.take() }
      #expect(grant(tickets[0], &policy) == "new")
      policy.giveUp(tickets[1])
      _ = policy.give(1, isUsable: true)
      #expect(grant(tickets[2], &policy) == "1")
    }

    @Test func whatCannotBeOpenedLetsTheNextOneTry() {
      var policy = ConnectionPoolPolicy<Int>(limit: 1)
      let tickets = (0..<2).map { _ in policy.take() }
      #expect(grant(tickets[0], &policy) == "new")
      policy.failedToOpen()
      #expect(grant(tickets[1], &policy) == "new")
      policy.failedToOpen()
      #expect(policy.openCount == 0)
    }

    @Test func theOneThatWasUsedLastIsTakenFirst() {
      var policy = ConnectionPoolPolicy<Int>(limit: 3)
      let tickets = (0..<3).map { _ in policy.take() }
      for ticket in tickets { #expect(grant(ticket, &policy) == "new") }
      for connection in 1...3 { _ = policy.give(connection, isUsable: true) }
      let next = policy.take()
      #expect(grant(next, &policy) == "3")
    }

    @Test func aClosedPoolGivesNothing() {
      var policy = ConnectionPoolPolicy<Int>(limit: 2)
      let tickets = (0..<3).map { _ in policy.take() }
      #expect(grant(tickets[0], &policy) == "new")
      #expect(grant(tickets[1], &policy) == "new")
      _ = policy.give(1, isUsable: true)
      #expect(grant(tickets[2], &policy) == "1")
      let waiting = policy.take()
      _ = policy.give(1, isUsable: true)
      #expect(grant(waiting, &policy) == "1")
      let another = policy.take()
      #expect(policy.close() == [])
      #expect(grant(another, &policy) == "closed")
      #expect(policy.give(1, isUsable: true) == .dropped)
      #expect(policy.give(2, isUsable: true) == .dropped)
      #expect(policy.openCount == 0)
      let late = policy.take()
      #expect(grant(late, &policy) == "closed")
    }

    /// Takes and gives in random order: no ticket is forgotten, and no connection is granted twice at the same time.
    @Test func randomOrders() {
      var generator = SeededGenerator(for: "the pool's policy")
      for _ in 0..<500 {
        let limit = Int.random(in: 1...4, using: &generator)
        var policy = ConnectionPoolPolicy<Int>(limit: limit), tickets: [Int] = [], had: Set<Int> = [], opened = 0
        for _ in 0..<200 {
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: tickets.append(policy.take())
          case 1:
            guard let connection = had.randomElement(using: &generator) else { break }
            had.remove(connection)
            _ = policy.give(connection, isUsable: .random(using: &generator))
          case 2 where Int.random(in: 0..<4, using: &generator) == 0:
            guard let ticket = tickets.randomElement(using: &generator), policy.waiting.contains(ticket) else { break }
            policy.giveUp(ticket)
            tickets.removeAll { $0 == ticket }
          default:
            guard let ticket = tickets.randomElement(using: &generator) else { break }
            switch policy.collect(ticket) {
            case .idle(let connection): #expect(had.insert(connection).inserted)
            case .new where Bool.random(using: &generator): policy.failedToOpen()
            case .new:
              opened += 1
              had.insert(opened)
            default: continue
            }
            tickets.removeAll { $0 == ticket }
          }
          #expect(policy.openCount <= limit)
          #expect(policy.waiting == policy.waiting.sorted())
          // No ticket waits while a connection is idle or can be opened.
          #expect(policy.waiting.isEmpty || (policy.idle.isEmpty && policy.openCount == limit))
        }
      }
    }
  }
#endif
