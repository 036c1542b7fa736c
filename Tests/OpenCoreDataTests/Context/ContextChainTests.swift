import CoreData
import Foundation
import Testing

/// Long chains of child contexts, on threads with little stack: none of what goes up a chain, or lets go of one, recurses.
@Suite(.serialized) struct ContextChainTests {
  /// A thread of `Chain.stack` bytes has about 430 for each context. `SOAK=17` makes chains of 5,000.
  static let length = 300 * Soak.factor

  /// A chain of contexts from its top, of which the last is to be used.
  private static func make(
    _ kind: (Int) -> NSManagedObjectContextConcurrencyType = { _ in .privateQueueConcurrencyType }
  ) throws -> (top: NSManagedObjectContext, last: NSManagedObjectContext) {
    let top = try Chain.context()
    var last = top
    for level in 0..<length {
      let child = NSManagedObjectContext(concurrencyType: kind(level))
      child.parent = last
      last = child
    }
    return (top, last)
  }

  @Test func chainsAreReadThroughAndSaved() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        let (top, last) = try Self.make()
        let identifiers = try top.performAndWait {
          let first = top.make("Node", ["name": "first"]), second = top.make("Node", ["name": "second"])
          second.setValue(first, forKey: "parent")
          try top.save()
          // Not saved: those below read it from there.
          first.setValue("changed", forKey: "name")
          let third = top.make("Node", ["name": "third"])
          third.setValue(first, forKey: "parent")
          try top.obtainPermanentIDs(for: [third])
          return [first, second, third].map(\.objectID)
        }
        try last.performAndWait {
          let first = last.object(with: identifiers[0])
          Chain.require(first.value(forKey: "name") as? String == "changed", "the value at the top is not read")
          Chain.require((first.value(forKey: "children") as? NSSet)?.count == 2, "the members at the top are not read")
          let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
          Chain.require(try last.fetch(request).count == 3, "the objects at the top are not fetched")
          request.predicate = NSPredicate(format: "name == 'changed'")
          Chain.require(try last.count(for: request) == 1, "the value at the top is not compared")
          let fourth = last.make("Node", ["name": "fourth", "parent": first])
          try last.obtainPermanentIDs(for: [fourth])
          last.refreshAllObjects()
          fourth.setValue("fifth", forKey: "name")
          first.setValue("changed again", forKey: "name")
        }
        // Down to the store, a level at a time.
        var level: NSManagedObjectContext? = last
        while let context = level {
          try context.performAndWait { try context.save() }
          level = context.parent
        }
        let names = try top.performAndWait {
          top.reset()
          return try top.all("Node", sortedBy: "name").compactMap { $0.value(forKey: "name") as? String }
        }
        Chain.require(names == ["changed again", "fifth", "second", "third"], "\(names)")
      }
    }
  }

  @Test func chainsOfMainQueueContextsToo() async {
    await #expect(processExitsWith: .success) {
      await MainActor.run {
        do {
          // In turns, and all the same from some level on.
          let (top, last) = try Self.make { level in
            level.isMultiple(of: 2) || level > 100 ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
          }
          let identifier = try top.performAndWait {
            let node = top.make("Node", ["name": "first"])
            try top.save()
            node.setValue("changed", forKey: "name")
            return node.objectID
          }
          last.performAndWait {
            let name = last.object(with: identifier).value(forKey: "name") as? String
            Chain.require(name == "changed", "the value at the top is not read")
          }
        } catch {
          Chain.require(false, "\(error)")
        }
      }
    }
  }

  /// The last reference lets go of the whole chain; objects of it may outlive it.
  @Test func chainsAreLetGoOf() async {
    await #expect(processExitsWith: .success) {
      Chain.onSmallStack {
        for keepsObject in [false, true] {
          var object: NSManagedObject?
          weak var top: NSManagedObjectContext?
          do {
            let chain = try Self.make()
            top = chain.top
            chain.last.performAndWait { object = keepsObject ? chain.last.make("Node", ["name": "x"]) : nil }
          }
          Chain.require(top == nil, "the context at the top is still there")
          Chain.require(object?.managedObjectContext == nil, "the context is still there")
        }
      }
    }
  }
}
