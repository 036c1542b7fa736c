import CoreData
import Foundation

extension StoreConformance {
  static let lifeChecks: [StoreCheck] = [
    StoreCheck("Faults fire, are refreshed, and fire again") { subject in
      let stack = try subject.stack()
      let first = stack.context, second = stack.another()
      let identifier = try first.performAndWait {
        let object = first.make("Club", ["title": "a"])
        try first.save()
        return object.objectID
      }
      second.retainsRegisteredObjects = true
      try second.performAndWait {
        let object = second.object(with: identifier)
        try expect(object.isFault, "object(with:) gives an object with values")
        try expectEqual(object.value(forKey: "title") as? String, "a", "the title")
        try expect(!object.isFault, "a fault after its value was read")
        second.refresh(object, mergeChanges: false)
        try expect(object.isFault, "no fault after refresh")
        try expectEqual(object.value(forKey: "title") as? String, "a", "the title after refresh")
      }
      try first.performAndWait {
        first.object(with: identifier).setValue("b", forKey: "title")
        try first.save()
      }
      try second.performAndWait {
        let object = second.object(with: identifier)
        try expectEqual(object.value(forKey: "title") as? String, "a", "the title before refreshAllObjects")
        second.refreshAllObjects()
        try expectEqual(object.value(forKey: "title") as? String, "b", "the title after refreshAllObjects")
      }
    },
    StoreCheck("reset and rollback forget what is pending") { subject in
      let stack = try subject.stack()
      let context = stack.context
      try context.performAndWait {
        context.make("Person", ["name": "Ann"])
        try context.save()
        try context.one("Person").setValue("Bob", forKey: "name")
        context.make("Person")
        context.rollback()
        try expectEqual(try context.one("Person").value(forKey: "name") as? String, "Ann", "the name after rollback")
        try context.one("Person").setValue("Bob", forKey: "name")
        context.reset()
        try expectEqual(try context.one("Person").value(forKey: "name") as? String, "Ann", "the name after reset")
      }
    },
    StoreCheck("The application's metadata are kept", needs: [.reopening, .customMetadata]) { subject in
      let stack = try subject.stack()
      var metadata = stack.coordinator.metadata(for: stack.store)
      metadata["mine"] = "value"
      stack.store.metadata = metadata
      try stack.context.performAndWait {
        stack.context.make("Person")
        try stack.context.save()
      }
      let again = try stack.reopened()
      try expectEqual(again.coordinator.metadata(for: again.store)["mine"] as? String, "value", "the metadata")
    },
    StoreCheck("A store that was added for reading only cannot be written", needs: [.reopening, .readOnly]) { subject in
      let stack = try subject.stack()
      try stack.context.performAndWait {
        stack.context.make("Person", ["name": "Ann"])
        try stack.context.save()
      }
      let again = try stack.reopened(options: [NSReadOnlyPersistentStoreOption: true])
      let context = again.context
      try expect(again.store.isReadOnly, "the store is not read-only")
      try context.performAndWait {
        try context.one("Person").setValue("Bob", forKey: "name")
        try expectError(CocoaError.Code.fileWriteNoPermission.rawValue, "the save") { try context.save() }
        context.rollback()
        try expectEqual(try context.one("Person").value(forKey: "name") as? String, "Ann", "the name")
      }
    },
    StoreCheck("A store that was removed is not used any more") { subject in
      let stack = try subject.stack()
      let context = stack.context
      try context.performAndWait {
        context.make("Person")
        try context.save()
      }
      try stack.coordinator.remove(stack.store)
      try context.performAndWait {
        context.reset()
        try expectEqual(try context.find("Person").count, 0, "people without a store")
        context.make("Person")
        try expectError(NSCoreDataError, "a save without a store") { try context.save() }
      }
    },
    StoreCheck("Contexts on several threads read and write at once", needs: [.concurrency]) { subject in
      let stack = try subject.stack()
      let coordinator = stack.coordinator
      let failures = Failures()
      DispatchQueue.concurrentPerform(iterations: 6) { thread in
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        do {
          for step in 1...15 {
            try context.performAndWait {
              if thread < 3 {
                context.make("Person", ["name": "T\(thread)", "age": step])
                try context.save()
              } else {
                context.refreshAllObjects()
                for person in try context.find("Person", "age > 0", by: ["age"]) {
                  try expect(person.value(forKey: "name") != nil, "a name is nil")
                }
              }
            }
          }
        } catch {
          failures.add("\(error)")
        }
      }
      try expectEqual(failures.all, [], "failures")
      try stack.context.performAndWait {
        try expectEqual(try stack.context.find("Person").count, 45, "people")
      }
    },
  ]
}

/// Collects the failures of several threads.
private final class Failures: @unchecked Sendable {  // everything belongs to `lock`
  private let lock = NSLock()
  private var texts: [String] = []

  func add(_ text: String) {
    lock.lock()
    texts.append(text)
    lock.unlock()
  }

  var all: [String] {
    lock.lock()
    defer { lock.unlock() }
    return texts
  }
}
