import CoreData
import Testing

@testable import OpenCoreData

/// What fetches ask of changed objects, and what they leave to the store.
@Suite("Fetches ask only the changed objects that matter")
struct PendingOverlayTests {
  private struct World {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    let other: NSManagedObjectContext
  }

  /// Things with the serials 0 to 39, whose number is the serial as well.
  private func world(_ store: TestStore = .sqlite, _ model: NSManagedObjectModel = PendingStage.model()) throws -> World
  {
    let coordinator = try store.coordinator(model)
    let world = World(
      coordinator: coordinator, context: TestModel.context(coordinator), other: TestModel.context(coordinator))
    try world.other.performAndWait { () throws in
      for serial in 0..<40 {
        _ = world.other.make("Thing", ["serial": serial, "number": serial, "name": "n\(serial)", "price": 1])
      }
      try world.other.save()
    }
    return world
  }

  private func request(_ format: String? = nil, _ arguments: Any...) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
    request.predicate = format.map { NSPredicate(format: $0, argumentArray: arguments) }
    request.sortDescriptors = [NSSortDescriptor(key: "serial", ascending: true)]
    return request
  }

  private func serials(_ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>) throws -> [Int] {
    let found = try context.fetch(request).compactMap { $0.number("serial") }
    #expect(try context.count(for: request) == found.count)
    return found
  }

  private func statements(_ body: () throws -> Void) throws -> [String] {
    try StatementLog.collect(thisThread: true) { try body() }.statements.filter { $0.hasPrefix("SELECT") }
  }

  // MARK: What stays in SQL

  @Test("Updates that touch neither predicate nor order leave the statement as it is")
  func unrelatedUpdates() throws {
    let world = try world()
    try world.context.performAndWait { () throws in
      let request = request("number > 3")
      (request.fetchLimit, request.fetchOffset) = (4, 2)
      var found: [Int] = []
      let before = try statements {
        found = try world.context.fetch(request).compactMap { $0.number("serial") }
        _ = try world.context.count(for: request)
      }
      #expect(found == [6, 7, 8, 9])
      for thing in try world.context.all("Thing") { thing.setValue("changed", forKey: "note") }
      for serial in 0..<30 { _ = world.context.make("Thing", ["serial": 100 + serial, "number": 0]) }
      let after = try statements {
        found = try world.context.fetch(request).compactMap { $0.number("serial") }
        _ = try world.context.count(for: request)
      }
      #expect(found == [6, 7, 8, 9])
      #expect(after == before)
      // A change of the key makes the limit larger.
      try #require(try world.context.all("Thing", sortedBy: "serial").first).setValue(50, forKey: "number")
      #expect(try serials(world.context, request) == [5, 6, 7, 8])
    }
  }

  @Test("Deleted objects are not found, and the page behind them moves up", arguments: TestStore.all)
  func deletions(_ store: TestStore) throws {
    let world = try world(store)
    try world.context.performAndWait { () throws in
      for thing in try world.context.all("Thing", sortedBy: "serial").prefix(5) {
        thing.setValue("changed", forKey: "note")
        _ = try world.context.count(for: request("number >= 0"))
        world.context.delete(thing)
      }
      let request = request("number >= 0")
      request.fetchLimit = 3
      #expect(try serials(world.context, request) == [5, 6, 7])
    }
  }

  // MARK: New objects

  @Test("New objects are found by their values of every type", arguments: TestStore.all)
  func newObjects(_ store: TestStore) throws {
    let world = try world(store)
    let code = UUID(), date = Date(timeIntervalSinceReferenceDate: 7.5), data = Data([1, 2])
    try world.context.performAndWait { () throws in
      var things: [NSManagedObject] = []
      for serial in 100..<120 { things.append(world.context.make("Thing", ["serial": serial, "number": serial])) }
      for (key, value) in [
        ("number", 1000), ("price", 2.5), ("name", "a\u{308}"), ("active", true), ("born", date), ("code", code),
        ("bytes", data), ("amount", NSDecimalNumber(string: "0.1")),
      ] as [(String, Any)] { things[7].setValue(value, forKey: key) }
      for _ in 0..<2 {
        #expect(try serials(world.context, request("number == %@", 1000.0)) == [107])
        #expect(try serials(world.context, request("number IN %@", [5, 1000, 3.0])) == [3, 5, 107])
        #expect(try serials(world.context, request("price == %@ AND number == 1000", 2.5)) == [107])
        #expect(try serials(world.context, request("name == %@", "a\u{308}")) == [107])
        #expect(try serials(world.context, request("name == %@", "\u{e4}")).isEmpty)
        #expect(try serials(world.context, request("name ==[cd] %@", "A")) == [107])
        #expect(try serials(world.context, request("active == 1")) == [107])
        #expect(try serials(world.context, request("born == %@ OR number == 2", date)) == [2, 107])
        #expect(try serials(world.context, request("code == %@", code)) == [107])
        #expect(try serials(world.context, request("bytes == %@", data)) == [107])
        #expect(try serials(world.context, request("amount == %@", NSDecimalNumber(string: "0.1"))) == [107])
        #expect(try serials(world.context, request("price == nil")) == Array(100..<120).filter { $0 != 107 })
        #expect(try serials(world.context, request("name BEGINSWITH 'a'")) == [107])
        #expect(try serials(world.context, request("number > 110 AND number < 113")) == [111, 112])
      }
    }
  }

  @Test("New objects are found by the values that they have now", arguments: TestStore.all)
  func movedObjects(_ store: TestStore) throws {
    let world = try world(store)
    try world.context.performAndWait { () throws in
      var things: [NSManagedObject] = []
      for serial in 100..<120 { things.append(world.context.make("Thing", ["serial": serial, "number": 500])) }
      let old = request("number == 500"), new = request("number == 501")
      #expect(try serials(world.context, old).count == 20)
      things[3].setValue(501, forKey: "number")
      #expect(try serials(world.context, new) == [103])
      things[3].setValue(500, forKey: "number")
      things[4].setPrimitiveValue(501, forKey: "number")
      #expect(try serials(world.context, new) == [104])
      world.context.delete(things[4])
      #expect(try serials(world.context, new).isEmpty)
      #expect(try serials(world.context, old).count == 19)
      things[5].setValue(501, forKey: "number")
      try world.context.obtainPermanentIDs(for: [things[5]])
      #expect(try serials(world.context, new) == [105])
      world.context.rollback()
      #expect(try serials(world.context, old).isEmpty && serials(world.context, new).isEmpty)
    }
  }

  @Test("Undoing moves objects back", arguments: TestStore.all)
  func undo(_ store: TestStore) throws {
    let world = try world(store)
    try world.context.performAndWait { () throws in
      world.context.undoManager = UndoManager()
      for serial in 100..<120 { _ = world.context.make("Thing", ["serial": serial, "number": serial]) }
      world.context.processPendingChanges()
      let request = request("number == 110 OR number == 7 OR number == 600")
      #expect(try serials(world.context, request) == [7, 110])
      for thing in try world.context.fetch(request) { thing.setValue(601, forKey: "number") }
      #expect(try serials(world.context, request).isEmpty)
      world.context.processPendingChanges()
      world.context.undo()
      #expect(try serials(world.context, request) == [7, 110])
      world.context.undo()
      #expect(try serials(world.context, request) == [7])
      world.context.redo()
      #expect(try serials(world.context, request) == [7, 110])
    }
  }

  @Test("An undo that leaves nothing to save leaves the object to its row", arguments: TestStore.all)
  func undoOfNothing(_ store: TestStore) throws {
    let world = try world(store)
    try world.context.performAndWait { () throws in
      let manager = UndoManager()
      world.context.undoManager = manager
      let request = request("name == 'n3'")
      let third = try #require(try world.context.fetch(request).first)
      // The object keeps a value of its own, which is no change.
      third.setPrimitiveValue("own", forKey: "note")
      third.setValue("changed", forKey: "name")
      world.context.processPendingChanges()
      #expect(try serials(world.context, request).isEmpty)
      // The undo finds the former value in its place already.
      manager.disableUndoRegistration()
      third.setValue("n3", forKey: "name")
      world.context.processPendingChanges()
      manager.enableUndoRegistration()
      #expect(try serials(world.context, request) == [3])
      world.context.undo()
      #expect(!third.hasChanges)
      #expect(try serials(world.context, request) == [3])
      third.setValue("changed", forKey: "name")
      #expect(try serials(world.context, request).isEmpty)
    }
  }

  @Test("In hooks and observers, where no event ends, objects are as they are then")
  func hooks() throws {
    let world = try world()
    try world.context.performAndWait { () throws in
      for serial in 100..<120 { _ = world.context.make("Thing", ["serial": serial, "number": 500]) }
      #expect(try serials(world.context, request("number == 500")).count == 20)
      // Notifications are posted on the context's queue, which this block is on.
      nonisolated(unsafe) var found: [[Int]] = []
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: world.context, queue: nil
      ) { [context = world.context] _ in
        guard found.isEmpty, let thing = try? context.all("Thing", sortedBy: "serial").last else { return }
        for number in [501, 502] {
          thing.setValue(number, forKey: "number")
          found.append((try? serials(context, request("number == \(number)"))) ?? [])
        }
        found.append((try? serials(context, request("number == 501"))) ?? [-1])
      }
      defer { NotificationCenter.default.removeObserver(token) }
      _ = world.context.make("Thing", ["serial": 120, "number": 1])
      world.context.processPendingChanges()
      #expect(found == [[120], [120], []])
      #expect(try serials(world.context, request("number == 502")) == [120])
    }
  }

  // MARK: Rows that change below

  @Test("Where the row has changed since, the object's own values decide", arguments: TestStore.all)
  func changedBelow(_ store: TestStore) throws {
    let world = try world(store)
    try world.context.performAndWait { () throws in
      for thing in try world.context.all("Thing") { thing.setValue("changed", forKey: "note") }
      #expect(try serials(world.context, request("number == 3")) == [3])
      try world.other.performAndWait { () throws in
        let things = try world.other.all("Thing", sortedBy: "serial")
        things[3].setValue(77, forKey: "number")
        things[4].setValue(3, forKey: "number")
        try world.other.save()
      }
      for _ in 0..<2 {
        #expect(try serials(world.context, request("number == 3")) == [3])
        #expect(try serials(world.context, request("number == 77")).isEmpty)
        let page = request("number >= 3")
        page.fetchLimit = 2
        #expect(try serials(world.context, page) == [3, 4])
      }
      let third = try #require(try world.context.fetch(request("number == 3")).first)
      world.context.refresh(third, mergeChanges: true)
      #expect(try serials(world.context, request("number == 77")) == [3])
      #expect(third.text("note") == "changed")
    }
  }

  @Test("An object whose row was found changed, and read again, comes once", arguments: TestStore.all)
  func readAgain(_ store: TestStore) throws {
    let world = try world(store)
    func changeElsewhere(_ place: Int, _ key: String, _ number: Int) throws {
      try world.other.performAndWait { () throws in
        let things = try world.other.all("Thing", sortedBy: "serial")
        things[place].setValue(number, forKey: key)
        try world.other.save()
      }
    }
    let request = request("number >= 35")
    var third: NSManagedObject?
    try world.context.performAndWait { () throws in
      let found = try #require(try world.context.all("Thing", sortedBy: "serial").dropFirst(36).first)
      found.setValue("changed", forKey: "note")
      third = found
    }
    try changeElsewhere(36, "number", 77)
    try world.context.performAndWait { () throws in
      #expect(try serials(world.context, request) == [35, 36, 37, 38, 39])
      world.context.refresh(try #require(third), mergeChanges: true)
    }
    try changeElsewhere(2, "number", 0)
    try world.context.performAndWait { () throws in
      #expect(try serials(world.context, request) == [35, 36, 37, 38, 39])
      request.fetchLimit = 4
      #expect(try serials(world.context, request) == [35, 36, 37, 38])
    }
  }

  @Test("An object that a hook changes while a fetch runs is in the result")
  func hooksOfRows() throws {
    let model = PendingStage.model()
    model.entitiesByName["Thing"]?.managedObjectClassName = NSStringFromClass(TouchingThing.self)
    let world = try world(.sqlite, model)
    try world.context.performAndWait { () throws in
      _ = world.context.make("Thing", ["serial": 100])
      let request = request()
      request.returnsObjectsAsFaults = false
      #expect(try serials(world.context, request) == Array(0..<40) + [100])
      #expect(world.context.updatedObjects.count == 1)
    }
  }

  // MARK: Children

  @Test("A child's fetch leaves unrelated changes above to the store, and asks the others", arguments: TestStore.all)
  func children(_ store: TestStore) throws {
    let world = try world(store)
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = world.context
    try world.context.performAndWait { () throws in
      for thing in try world.context.all("Thing") { thing.setValue("above", forKey: "note") }
      for serial in 100..<120 { _ = world.context.make("Thing", ["serial": serial, "number": serial]) }
    }
    try child.performAndWait { () throws in
      #expect(try serials(child, request("number == 3")) == [3])
      #expect(try serials(child, request("number == 104")) == [104])
      let found = request("number == 5")
      found.returnsObjectsAsFaults = false
      let fifth = try #require(try child.fetch(found).first)
      #expect(fifth.text("note") == "above")
      try #require(try child.fetch(request("number == 6")).first).setValue("below", forKey: "note")
    }
    try world.context.performAndWait { () throws in
      let things = try world.context.all("Thing", sortedBy: "serial")
      things[6].setValue(66, forKey: "number")
      things[7].setValue(77, forKey: "number")
    }
    try child.performAndWait { () throws in
      // The child has changed the sixth: its own values count. It has not changed the seventh.
      #expect(try serials(child, request("number == 6")) == [6])
      #expect(try serials(child, request("number == 66")).isEmpty)
      #expect(try serials(child, request("number == 77")) == [7])
      #expect(try serials(child, request("number == 7")).isEmpty)
      try child.save()
    }
    try world.context.performAndWait { () throws in
      #expect(try serials(world.context, request("note == 'below'")) == [6])
    }
  }

  @Test("Unrelated changes above leave a child's statement as it is")
  func childStatements() throws {
    let world = try world()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = world.context
    let request = request("number > 3")
    (request.fetchLimit, request.fetchOffset) = (4, 2)
    func read() throws -> [String] {
      try statements {
        let found = try child.performAndWait { try child.fetch(request) }
        #expect(found.count == 4)
      }
    }
    let before = try read()
    try world.context.performAndWait { () throws in
      for thing in try world.context.all("Thing") { thing.setValue("above", forKey: "note") }
    }
    #expect(try read() == before)
  }

  // MARK: Classes of their own

  @Test("A class that overrides value(forKey:) is asked")
  func overriddenValues() throws {
    let model = PendingStage.model()
    model.entitiesByName["Thing"]?.managedObjectClassName = NSStringFromClass(LyingThing.self)
    let world = try world(.sqlite, model)
    try world.context.performAndWait { () throws in
      let third = try #require(try world.context.fetch(request("number == 3")).first)
      #expect(third is LyingThing)
      third.setValue("changed", forKey: "note")
      world.context.insert("Thing", ["serial": 100, "number": 3])
      #expect(try world.context.count(for: request("number == 3")) == 0)
      #expect(try world.context.count(for: request("number == 9999")) == 2)
    }
  }
}

/// A thing that changes the thing with the serial 1 when it is read, as far as that one is registered.
final class TouchingThing: NSManagedObject {
  override func awakeFromFetch() {
    super.awakeFromFetch()
    guard let number = primitiveValue(forKey: "serial") as? Int, number == 5 else { return }
    let first = managedObjectContext?.registeredObjects.first {
      !$0.isInserted && $0.objectID != objectID && !$0.isFault
    }
    first?.setValue("touched", forKey: "note")
  }
}

/// A thing whose number by key-value coding is another than the stored one.
final class LyingThing: NSManagedObject {
  override func value(forKey key: String) -> Any? { key == "number" ? 9999 : super.value(forKey: key) }
}
