import CoreData
import Foundation
import Testing

/// Saved objects that are given to `insert(_:)` once more (D-CTX-08).
@Suite struct InsertedAgainTests {
  /// What the notifications about a save tell of one object.
  private final class Told: @unchecked Sendable {  // used on one thread
    private(set) var kinds: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext, of object: NSManagedObject) {
      let id = object.objectID
      nonisolated(unsafe) let object = object
      let names: [(Notification.Name, String)] = [
        (.NSManagedObjectContextDidSave, ""), (.NSManagedObjectContextDidSaveObjectIDs, "_objectIDs"),
      ]
      for (name, suffix) in names {
        tokens.append(
          NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [unowned self] note in
            for kind in ["inserted", "updated", "deleted", "refreshed"] {
              let objects = note.userInfo?[kind] as? Set<NSManagedObject>
              let ids = note.userInfo?[kind + suffix] as? Set<NSManagedObjectID>
              if objects?.contains(object) == true || ids?.contains(id) == true { kinds.append(kind + suffix) }
            }
          })
      }
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }
  }

  @Test(arguments: TestStore.all) func aSaveTellsItAsInsertedAndUpdatesItsRow(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let (person, other) = (context.make("Person", ["name": "a"]), context.make("Person", ["name": "b"]))
      try context.save()
      let told = Told(context, of: person)
      context.insert(person)
      #expect(person.isInserted && !person.isUpdated)
      #expect(context.insertedObjects == [person] && context.updatedObjects.isEmpty)
      try context.save()
      #expect(told.kinds == ["inserted", "inserted_objectIDs"])
      #expect(!person.isInserted && !person.hasChanges && context.insertedObjects.isEmpty)
      // The next save tells an update as one.
      person.setValue("c", forKey: "name")
      try context.save()
      #expect(told.kinds.dropFirst(2) == ["updated", "updated_objectIDs"])
      #expect(try context.names("Person") == ["b", "c"])
      _ = other
    }
  }

  @Test(arguments: TestStore.all) func aSaveOfManyTellsEachOnce(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let people = (0..<3).map { context.make("Person", ["name": "p\($0)"]) }
      try context.save()
      people[1].setValue("changed", forKey: "name")
      context.insert(people[0])
      context.insert(people[1])
      people[2].setValue("p3", forKey: "name")
      let new = context.make("Person", ["name": "p4"])
      context.processPendingChanges()
      nonisolated(unsafe) var sets: [String: Set<NSManagedObject>] = [:]
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSave, object: context, queue: nil
      ) { note in
        for kind in ["inserted", "updated"] { sets[kind] = note.userInfo?[kind] as? Set<NSManagedObject> }
      }
      try context.save()
      NotificationCenter.default.removeObserver(token)
      #expect(sets["inserted"] == [people[0], people[1], new] && sets["updated"] == [people[2]])
      #expect(try context.names("Person") == ["changed", "p0", "p3", "p4"])
    }
  }

  @Test func oneThatIsTakenBackOrDeletedIsNotTold() throws {
    try Society.coordinator().inContext { context in
      let (person, gone) = (context.make("Person", ["name": "a"]), context.make("Person", ["name": "b"]))
      try context.save()
      let (told, toldOfGone) = (Told(context, of: person), Told(context, of: gone))
      context.insert(person)
      context.rollback()
      #expect(!person.isInserted && context.insertedObjects.isEmpty)
      person.setValue("c", forKey: "name")
      context.insert(gone)
      context.delete(gone)
      try context.save()
      #expect(told.kinds == ["updated", "updated_objectIDs"])
      #expect(toldOfGone.kinds == ["deleted", "deleted_objectIDs"])
    }
  }

  @Test(arguments: TestStore.all) func aChildTellsItToo(_ store: TestStore) throws {
    let parent = TestModel.context(try Society.coordinator(store))
    let id = try parent.performAndWait {
      let person = parent.make("Person", ["name": "a"])
      try parent.save()
      return person.objectID
    }
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    try child.performAndWait {
      let person = try child.existingObject(with: id)
      let told = Told(child, of: person)
      child.insert(person)
      person.setValue("b", forKey: "name")
      try child.save()
      #expect(told.kinds == ["inserted", "inserted_objectIDs"])
    }
    try parent.performAndWait {
      // In the parent, it is an object whose values the child has changed.
      #expect(parent.updatedObjects.map(\.objectID) == [id] && parent.insertedObjects.isEmpty)
      try parent.save()
      #expect(try parent.names("Person") == ["b"])
    }
  }

  /// Another context has the row already: there the values that were saved are new.
  @Test(arguments: TestStore.all, [false, true])
  func anotherContextThatMergesItHasTheNewValues(_ store: TestStore, byIDs: Bool) throws {
    let coordinator = try Society.coordinator(store)
    let (writer, reader) = (TestModel.context(coordinator), TestModel.context(coordinator))
    let automatic = TestModel.context(coordinator)
    automatic.automaticallyMergesChangesFromParent = true
    let id = try writer.performAndWait {
      let person = writer.make("Person", ["name": "a"])
      try writer.save()
      return person.objectID
    }
    let seen = try [reader, automatic].map { context in
      try context.performAndWait {
        let person = try context.named("a")
        #expect(person.objectID == id && person.text("name") == "a")
        return person
      }
    }
    nonisolated(unsafe) var notification: Notification?
    let token = NotificationCenter.default.addObserver(
      forName: byIDs ? .NSManagedObjectContextDidSaveObjectIDs : .NSManagedObjectContextDidSave, object: writer,
      queue: nil
    ) { notification = $0 }
    defer { NotificationCenter.default.removeObserver(token) }
    try writer.performAndWait {
      let person = try writer.named("a")
      person.setValue("b", forKey: "name")
      writer.insert(person)
      try writer.save()
    }
    let saved = try #require(notification)
    reader.performAndWait {
      reader.mergeChanges(fromContextDidSave: saved)
      #expect(seen[0].text("name") == "b")
    }
    automatic.performAndWait { #expect(seen[1].text("name") == "b") }
  }

  /// A controller follows changes only if it has a delegate.
  private final class Moves: NSFetchedResultsControllerDelegate {
    private(set) var kinds: [NSFetchedResultsChangeType] = []

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
      at place: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) { kinds.append(type) }
  }

  @Test func aControllerOfAnotherContextMovesItsObject() throws {
    let coordinator = try Society.coordinator()
    let (writer, reader) = (TestModel.context(coordinator), TestModel.context(coordinator))
    try writer.performAndWait {
      for name in ["a", "b", "c"] { _ = writer.make("Person", ["name": name]) }
      try writer.save()
    }
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request, managedObjectContext: reader, sectionNameKeyPath: nil, cacheName: nil)
    let moves = Moves()
    try reader.performAndWait {
      controller.delegate = moves
      try controller.performFetch()
      #expect(controller.fetchedObjects?.compactMap { $0.text("name") } == ["a", "b", "c"])
    }
    let saved = RecordedNotifications(.NSManagedObjectContextDidSave, of: writer)
    try writer.performAndWait {
      let person = try writer.named("a")
      person.setValue("d", forKey: "name")
      writer.insert(person)
      try writer.save()
    }
    reader.performAndWait {
      reader.mergeChanges(fromContextDidSave: saved.merged)
      #expect(controller.fetchedObjects?.compactMap { $0.text("name") } == ["b", "c", "d"])
      #expect(moves.kinds == [.move])
    }
  }
}
