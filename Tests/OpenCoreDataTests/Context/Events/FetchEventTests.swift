import CoreData
import Testing

/// A fetch ends the current event, so that observers have heard of what it takes into account.
@Suite struct FetchEventTests {
  private final class Heard: @unchecked Sendable {  // notifications of one context come on its queue
    var updated = 0, inserted = 0, deleted = 0, posts = 0
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext, _ also: @escaping () -> Void = {}) {
      nonisolated(unsafe) let also = also
      token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { [weak self] note in
        self?.posts += 1
        self?.updated += (note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
        self?.inserted += (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
        self?.deleted += (note.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0
        also()
      }
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }
  }

  @Test(arguments: TestStore.all) func observersHearBeforeTheFetchAnswers(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let heard = Heard(context)
      _ = context.make("Person", ["name": "a"])
      #expect(heard.posts == 0)
      #expect(try context.names("Person") == ["a"] && heard.inserted == 1)
      _ = context.make("Person", ["name": "b"])
      #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 2)
      #expect(heard.inserted == 2 && heard.posts == 2)
      _ = try context.names("Person")
      #expect(heard.posts == 2)
    }
  }

  @Test(arguments: TestStore.all) func deleteRulesAreApplied(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Society.family(.cascadeDeleteRule))
    try coordinator.inContext { context in
      let parent = context.make("Parent", ["name": "p"])
      _ = context.make("Child", ["name": "c", "parent": parent])
      try context.save()
      context.delete(parent)
      #expect(try context.names("Child").isEmpty)
      context.rollback()
      #expect(try context.names("Child") == ["c"])
    }
  }

  @Test(arguments: TestStore.all) func oneUndoStepAroundAFetch(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      context.undoManager = UndoManager()
      let person = context.make("Person", ["name": "a", "number": 1])
      try context.save()
      context.processPendingChanges()
      context.undoManager?.removeAllActions()
      person.setValue("b", forKey: "name")
      _ = try context.names("Person")
      person.setValue(2, forKey: "number")
      _ = try context.names("Person")
      let other = context.make("Person", ["name": "other"])
      context.processPendingChanges()
      context.undo()
      #expect(person.text("name") == "a" && person.number("number") == 1 && other.managedObjectContext == nil)
      #expect(context.undoManager?.canUndo == false)
      context.redo()
      #expect(person.text("name") == "b" && person.number("number") == 2)
      // The next event is another step.
      person.setValue("c", forKey: "name")
      context.processPendingChanges()
      context.undo()
      #expect(person.text("name") == "b" && person.number("number") == 2)
    }
  }

  /// In the middle of other work the event goes on, and the fetch sees what is pending.
  @Test(arguments: TestStore.all) func aFetchInAnObserverAndInHooks(_ store: TestStore) throws {
    let model = Society.model()
    model.entitiesByName["Person"]!.managedObjectClassName = NSStringFromClass(FetchingPerson.self)
    let coordinator = try store.coordinator(model)
    try coordinator.inContext { context in
      nonisolated(unsafe) var seen: [Int] = []
      let heard = Heard(context) { seen.append((try? context.names("Person").count) ?? -1) }
      let person = FetchingPerson(context: context)
      person.setValue("a", forKey: "name")
      // awakeFromInsert has fetched, and saw the object.
      #expect(person.fetched == [1] && heard.posts == 0)
      context.processPendingChanges()
      #expect(heard.posts == 1 && seen == [1])
      try context.save()
      #expect(person.fetched == [1, 1])  // willSave
      context.delete(person)  // prepareForDeletion
      #expect(person.fetched == [1, 1, 1] && heard.deleted == 0)
      try context.save()
      #expect(heard.deleted == 1)
    }
    try coordinator.inContext { context in
      _ = context.make("Club", ["name": "pending"])
      let heard = Heard(context)
      let other = NSManagedObjectContext(.privateQueue)
      other.persistentStoreCoordinator = coordinator
      #expect(heard.posts == 0)
    }
  }

  @Test(arguments: TestStore.all) func aControllerOfUnsavedObjects(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let people = (0..<3).map { context.make("Person", ["name": "P\($0)"]) }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      let controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      let delegate = ChangeLog()
      controller.delegate = delegate
      try controller.performFetch()
      context.delete(people[1])
      context.processPendingChanges()
      #expect(delegate.types == [.delete] && controller.fetchedObjects?.count == 2)
    }
  }

  @Test func noStatementMore() throws {
    try Society.coordinator().inContext { context in
      for number in 0..<5 { _ = context.make("Person", ["number": number]) }
      try context.save()
      let plain = try StatementLog.collect(thisThread: true) { _ = try context.names("Person") }.statements
      try context.all("Person")[0].setValue("new", forKey: "name")
      let pending = try StatementLog.collect(thisThread: true) { _ = try context.names("Club") }.statements
      #expect(
        pending.count { $0.hasPrefix("SELECT") } == 1 && plain.count { $0.hasPrefix("SELECT") } == 1,
        "\(plain) \(pending)")
    }
  }
}

private final class ChangeLog: NSObject, NSFetchedResultsControllerDelegate {
  var types: [NSFetchedResultsChangeType] = []

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
    at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
  ) { types.append(type) }
}

/// Fetches in its hooks.
final class FetchingPerson: NSManagedObject {
  var fetched: [Int] = []

  private func fetchAll() {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    fetched.append((try? managedObjectContext?.fetch(request).count) ?? -1)
  }

  override func awakeFromInsert() { fetchAll() }
  override func willSave() { if !isDeleted { fetchAll() } }
  override func prepareForDeletion() { fetchAll() }
}
