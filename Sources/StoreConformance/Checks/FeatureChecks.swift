import CoreData
import Foundation

extension StoreConformance {
  static let featureChecks: [StoreCheck] = [
    StoreCheck("A context that is pinned sees the store as it was", needs: [.generations]) { subject in
      let stack = try subject.stack()
      let pinned = stack.context, other = stack.another()
      try other.performAndWait {
        other.make("Club", ["title": "a"])
        try other.save()
      }
      try pinned.performAndWait {
        try pinned.setQueryGenerationFrom(NSQueryGenerationToken.current)
        try expectEqual(try pinned.find("Club").count, 1, "clubs when it was pinned")
      }
      try other.performAndWait {
        other.make("Club", ["title": "b"])
        try other.save()
      }
      try pinned.performAndWait {
        try expectEqual(try pinned.find("Club").count, 1, "clubs after a save elsewhere")
        try pinned.setQueryGenerationFrom(nil)
        try expectEqual(try pinned.find("Club").count, 2, "clubs without a pin")
      }
    },
    StoreCheck("An asynchronous fetch calls back with what it found", needs: [.asynchronousFetches]) { subject in
      let context = try subject.stack().context
      try context.performAndWait {
        for number in 1...5 { context.make("Club", ["title": "\(number)"]) }
        try context.save()
      }
      let isDone = DispatchSemaphore(value: 0), found = Found()
      try context.performAndWait {
        let request = NSAsynchronousFetchRequest<NSManagedObject>(
          fetchRequest: NSFetchRequest(entityName: "Club")
        ) { result in
          found.count = result.finalResult?.count ?? -1
          isDone.signal()
        }
        _ = try context.execute(request)
      }
      try expect(isDone.wait(timeout: .now() + 300) == .success, "the fetch never ended")
      try expectEqual(found.count, 5, "clubs")
    },
    StoreCheck("Derived attributes follow what other objects do", needs: [.derivedAttributes]) { subject in
      let context = try subject.stack(ConformanceModel.make(derives: true)).context
      try context.performAndWait {
        let club = context.make("Club", ["title": "a"])
        let people = (1...3).map { context.make("Person", ["name": "P\($0)", "clubs": NSSet(object: club)]) }
        try context.save()
        context.refresh(club, mergeChanges: false)
        try expectEqual(club.value(forKey: "size") as? Int, 3, "members")
        context.delete(people[0])
        try context.save()
        context.refresh(club, mergeChanges: false)
        try expectEqual(club.value(forKey: "size") as? Int, 2, "members after one was deleted")
      }
    },
    StoreCheck("Large values that may be in files come back", needs: [.externalStorage, .reopening]) { subject in
      func model() -> NSManagedObjectModel {
        let model = ConformanceModel.make()
        model.entitiesByName["Thing"]?.attributesByName["data"]?.allowsExternalBinaryDataStorage = true
        return model
      }
      let stack = try subject.stack(model())
      let large = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }), small = Data([1, 2, 3])
      try stack.context.performAndWait {
        stack.context.make("Thing", ["text": "large", "data": large])
        stack.context.make("Thing", ["text": "small", "data": small])
        try stack.context.save()
      }
      let again = try stack.reopened(model()).context
      try again.performAndWait {
        try expectEqual(
          try again.one("Thing", "text == 'large'").value(forKey: "data") as? Data, large, "the large one")
        try expectEqual(
          try again.one("Thing", "text == 'small'").value(forKey: "data") as? Data, small, "the small one")
      }
    },
    StoreCheck("A store that is files can be copied and destroyed", needs: [.files, .reopening]) { subject in
      let stack = try subject.stack(), copy = try subject.stack()
      try stack.context.performAndWait {
        stack.context.make("Club", ["title": "a"])
        try stack.context.save()
      }
      let (source, place) = (try unwrap(stack.url, "the URL"), try unwrap(copy.url, "the other URL"))
      try stack.coordinator.remove(stack.store)
      try copy.coordinator.remove(copy.store)
      try stack.coordinator.replacePersistentStore(
        at: place, destinationOptions: subject.openOptions(), withPersistentStoreFrom: source,
        sourceOptions: subject.openOptions(), ofType: subject.type)
      try stack.coordinator.destroyPersistentStore(at: source, ofType: subject.type, options: subject.openOptions())
      for (url, count) in [(place, 1), (source, 0)] {
        let opened = try StoreStack(subject: subject, model: ConformanceModel.make(), url: url)
        try opened.context.performAndWait {
          try expectEqual(try opened.context.find("Club").count, count, "clubs at \(url.lastPathComponent)")
        }
      }
    },
  ]

  /// The result of a callback; written before the semaphore is signalled, and read after the wait for it.
  private final class Found: @unchecked Sendable {
    var count = 0
  }
}
