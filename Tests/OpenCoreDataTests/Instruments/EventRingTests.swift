#if os(Linux)
  import Foundation
  import Testing

  @testable import OpenCoreData

  /// The ring of events, and the names of functions in it.
  @Suite struct EventRingTests {
    private static func event(_ number: Int) -> LiveEvent {
      var event = LiveEvent(time: 0, kind: "fetch", thread: 1, milliseconds: 0)
      event.rows = number
      return event
    }

    /// All events from a number on, as a client reads them.
    private static func all(_ ring: EventRing, from first: Int) -> (events: [LiveEvent], lost: Int) {
      var (events, lost, next) = ([LiveEvent](), 0, first)
      while true {
        let portion = ring.events(from: next)
        events += portion.events
        lost += portion.lost
        next = portion.next
        if portion.events.isEmpty { return (events, lost) }
      }
    }

    @Test(arguments: [0, 100, EventRing.capacity, EventRing.capacity + 1])
    func eventsAreReadInOrderAfterAnInterruption(_ before: Int) {
      var ring = EventRing()
      for number in 0..<before { ring.put(Self.event(number)) }
      let known = ring.next
      ring.interrupt()
      #expect(ring.events(from: known).events.isEmpty)
      // What happened meanwhile is missing.
      #expect(ring.events(from: known).lost == 1)
      let first = ring.next
      for number in 0..<3000 {
        ring.put(Self.event(number))
        #expect(ring.events(from: ring.next - 1).events.map(\.rows) == [number])
      }
      let (events, lost) = Self.all(ring, from: first)
      #expect(lost == 3000 - EventRing.capacity)
      #expect(events.map(\.rows) == Array((3000 - EventRing.capacity)..<3000))
      #expect(events.map(\.number) == Array((first + lost)..<(first + 3000)))
    }

    @Test func stacksStayUntilTheirEventsAreTold() {
      var ring = EventRing()
      for number in 0..<(EventRing.portion + 1) { ring.put(Self.event(number), stack: number % 500 == 1 ? [1] : nil) }
      ring.put(Self.event(0), stack: [2])
      let late = EventRing.portion + 1
      #expect(ring.stacks(from: 0) == [1: [1]])
      #expect(ring.stacks(from: EventRing.portion) == [late: [2]])
      ring.name(1, caller: "main()")
      #expect(ring.stacks(from: 0).isEmpty && ring.events(from: 0).events[1].caller == "main()")
      #expect(ring.stacks(from: EventRing.portion) == [late: [2]])
      // For every client.
      #expect(ring.events(from: 1).events[0].caller == "main()")
    }

    @Test func stacksOfLostEventsMakeRoom() {
      var ring = EventRing()
      for number in 0..<200 { ring.put(Self.event(number), stack: [UInt(number)]) }
      for number in 0..<EventRing.capacity { ring.put(Self.event(number)) }
      ring.put(Self.event(0), stack: [7])
      #expect(ring.stacks(from: ring.next - 1) == [ring.next - 1: [7]])
    }

    @Test func aLibraryIsKnownByItsOwnName() {
      #expect(CallerName.isLibrary("/usr/lib/libc.so.6") && CallerName.isLibrary("/usr/lib/libswiftCore.so"))
      #expect(!CallerName.isLibrary("/home/my.software/program") && !CallerName.isLibrary("/x.so/program"))
    }
  }
#endif
