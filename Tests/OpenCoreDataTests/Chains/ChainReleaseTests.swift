import CoreData
import Foundation
import Testing

/// Chains of objects are let go of without recursion: a thread's stack is not as deep as a chain is long.
@Suite(.serialized) struct ChainReleaseTests {
  @Test func unsavedChainsGoWithTheirContext() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          let context = try Chain.context()
          context.performAndWait { _ = Chain.make(link, context) }
        }
      }
    }
  }

  /// What an object has set itself outlives its relationships, which the context takes along.
  @Test func unsavedChainsGoAfterTheirContext() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          var first: NSManagedObject?
          do {
            let context = try Chain.context()
            context.performAndWait { first = Chain.make(link, context) }
          }
          Chain.require(first?.managedObjectContext == nil, "the context is there")
          first = nil
        }
      }
    }
  }

  @Test func realisedChainsGo() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          let context = try Chain.context()
          try context.performAndWait {
            Chain.make(link, context)
            try context.save()
            context.reset()
            for _ in 0..<2 {
              // First without, then with all objects fetched, which fire together.
              Chain.require(Chain.walk(try Chain.first(context, link), link) == Chain.length, "\(link) is shorter")
              let all = try context.all("Node")
              Chain.walk(try Chain.first(context, link), link)
              withExtendedLifetime(all) {}
              context.reset()
            }
            let first = try Chain.first(context, link)
            Chain.walk(first, link)
            context.refresh(first, mergeChanges: false)
            Chain.walk(first, link)
            context.refreshAllObjects()
          }
        }
      }
    }
  }

  @Test func resetAndRollbackDropChains() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for link in Chain.Link.allCases {
          let context = try Chain.context()
          try context.performAndWait {
            Chain.make(link, context)
            context.reset()
            Chain.make(link, context)
            context.rollback()
            Chain.make(link, context)
            try context.save()
            for object in try context.all("Node") { object.setValue(nil, forKey: "next") }
            context.rollback()
            Chain.require(Chain.walk(try Chain.first(context, link), link) == Chain.length, "\(link) is shorter")
          }
        }
      }
    }
  }

  /// On the context's own queue, whose threads have more stack.
  @Test func chainsGoOnTheirContextsQueue() async {
    await #expect(processExitsWith: .success) {
      for link in [Chain.Link.parent, .children] {
        let context = try Chain.context()
        try await context.perform {
          Chain.make(link, context, Chain.length * 10)
          try context.save()
          context.reset()
          Chain.walk(try Chain.first(context, link, Chain.length * 10), link)
          context.reset()
          Chain.make(link, context, Chain.length * 10)
        }
      }
    }
  }
}
