import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// The identity map while objects are released on other threads.
@Suite struct IdentityMapTests {
  private func coordinator(_ store: TestStore, _ count: Int) throws -> NSPersistentStoreCoordinator {
    let coordinator = try store.coordinator(TestModel.library())
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      for number in 0..<count { _ = context.make("Author", ["name": "A\(number)"]) }
      try context.save()
    }
    return coordinator
  }

  @Test(arguments: TestStore.all) func objectsAreReleasedWhileTheyAreLookedUp(_ kind: TestStore) throws {
    let coordinator = try coordinator(kind, 200)
    let bag = ReleaseBag(), isDone = Atomic(false), dropped = Atomic(0)
    Soak.threads(4) { number in
      if number > 0 {
        while !isDone.load(ordering: .acquiring) { dropped.wrappingAdd(bag.drop(), ordering: .relaxed) }
        return
      }
      defer { isDone.store(true, ordering: .releasing) }
      let context = TestModel.context(coordinator)
      for round in 0..<50 * Soak.factor {
        try context.performAndWait {
          let objects = try context.all("Author")
          #expect(objects.count == 200)
          let again = try context.all("Author")
          #expect(zip(objects, again).allSatisfy { $0 === $1 }, "one row, two objects")
          for object in objects where object.key % 7 == Int64(round % 7) {
            #expect(object.value(forKey: "name") as? String == "A\(object.key - 1)")
            #expect(context.registeredObject(for: object.objectID) === object)
          }
          bag.add(objects)
        }
      }
    }
    _ = bag.drop()
    #expect(dropped.load(ordering: .relaxed) > 0)
  }

  /// Registers, drops and looks up at random, beside a dictionary. Half of the keys have tags that others have, too.
  @Test(arguments: RandomSeeds.seeds(5), TestStore.all)
  func findsWhatADictionaryFinds(_ seed: UInt64, _ store: TestStore) throws {
    var random = SeededGenerator(seed: seed)
    let coordinator = try coordinator(store, 0)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      let layout = try #require(coordinator.managedObjectModel.entitiesByName["Author"]).layout
      let table = context.objects.table(for: layout, store: coordinator.persistentStores.first)
      // The inverse of the number that hashes are made with, so that keys can be made of hashes.
      let keys = (0..<400).map { number -> Int64 in
        let hash = UInt64(number / 4) << 33 | UInt64(number % 4)
        return number < 200 ? Int64(number + 1) : Int64(bitPattern: hash &* 0xF1DE_83E1_9937_733D)
      }
      #expect(Set(keys[200...].map { KeyHash.tag($0) }).count < 60)
      var expected: [Int64: NSManagedObject] = [:]
      for _ in 0..<2_000 {
        let key = keys[Int.random(in: 0..<keys.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
          if expected[key] != nil { break }
          let object = NSManagedObject(entity: layout.entity, insertInto: nil)
          table.register(object, key)
          expected[key] = object
        case 2: expected[key] = nil
        default:
          let wanted = ContiguousArray(keys.shuffled(using: &random).prefix(50))
          let found = table.findOrMake(wanted) { _ in NSManagedObject(entity: layout.entity, insertInto: nil) }
          for (key, object) in zip(wanted, found) {
            if let known = expected[key] { #expect(known === object, "seed \(seed)") }
            #expect(object.key == key && object.table === table, "seed \(seed)")
            if Bool.random(using: &random) { expected[key] = object }
          }
        }
        #expect(table.object(key) === expected[key], "seed \(seed)")
      }
      #expect(Set(table.all()) == Set(expected.values) && table.objectCount == expected.count, "seed \(seed)")
    }
  }

  @Test(arguments: TestStore.all) func lookUpsByIDWhileObjectsDie(_ kind: TestStore) throws {
    let coordinator = try coordinator(kind, 50)
    let context = TestModel.context(coordinator)
    let ids = try context.performAndWait { try context.all("Author").map(\.objectID) }
    let bag = ReleaseBag(), isDone = Atomic(false)
    Soak.threads(3) { number in
      if number > 0 {
        while !isDone.load(ordering: .acquiring) { _ = bag.drop() }
        return
      }
      defer { isDone.store(true, ordering: .releasing) }
      for _ in 0..<50 * Soak.factor {
        context.performAndWait {
          let objects = ids.map { context.object(with: $0) }
          for (object, id) in zip(objects, ids) {
            #expect(object.objectID == id)
            #expect(context.object(with: id) === object)
          }
          bag.add(objects)
        }
      }
    }
    _ = bag.drop()
    context.performAndWait { #expect(context.registeredObjects.isEmpty) }
  }

  @Test(arguments: TestStore.all) func registeredObjectsAreThoseThatSomebodyHolds(_ store: TestStore) throws {
    let context = TestModel.context(try coordinator(store, 10))
    try context.performAndWait {
      var objects = try context.all("Author")
      #expect(context.registeredObjects.count == 10)
      objects.removeLast(4)
      #expect(context.registeredObjects.count == 6)
      objects[0].setValue("changed", forKey: "name")
      objects = []
      #expect(context.registeredObjects.count == 1 && context.updatedObjects.count == 1)
      context.retainsRegisteredObjects = true
      _ = try context.all("Author")
      #expect(context.registeredObjects.count == 10)
      context.retainsRegisteredObjects = false
      #expect(context.registeredObjects.count == 1)
    }
  }

  /// The context goes on another thread, while its objects are being released on a third.
  @Test(arguments: TestStore.all) func contextsAreReleasedOnOtherThreads(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 100)
    for _ in 0..<30 * Soak.factor {
      let bag = ReleaseBag()
      var context: NSManagedObjectContext? = TestModel.context(coordinator)
      try context?.performAndWait { bag.add(try context?.all("Author") ?? []) }
      let last = Mutex(context)
      context = nil
      Soak.threads(2) { number in
        if number == 0 { last.withLock { $0 = nil } } else { #expect(bag.drop() == 100) }
      }
    }
  }

  @Test(arguments: TestStore.all) func objectsOutliveTheirContext(_ store: TestStore) throws {
    let coordinator = try coordinator(store, 3)
    var kept: [NSManagedObject] = []
    do {
      let context = TestModel.context(coordinator)
      kept = try context.performAndWait { try context.all("Author", sortedBy: "name") }
      context.performAndWait {
        #expect(kept[0].value(forKey: "name") as? String == "A0")
        kept[0].setValue("unsaved", forKey: "name")
      }
    }
    #expect(kept.allSatisfy { $0.managedObjectContext == nil })
    #expect(kept[0].value(forKey: "name") as? String == "unsaved")
    #expect(kept[1].entity.name == "Author" && !kept[1].objectID.isTemporaryID)
    #expect(kept[2].description.contains("Author"))
  }
}
