import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What `didSave` reads of an object that the save has deleted: programs remove there what an object has outside of the store.
@Suite struct DeletedInDidSaveTests {
  /// How a context got the object that it deletes.
  enum Way: CaseIterable { case read, fetched, byID, refreshed }

  private func object(_ way: Way, _ id: NSManagedObjectID, in context: NSManagedObjectContext) throws -> NSManagedObject
  {
    let object: NSManagedObject
    switch way {
    case .read:
      object = try context.existingObject(with: id)
      _ = object.text("fileName")
    case .fetched:
      let request = NSFetchRequest<NSManagedObject>(entityName: "Filed")
      request.predicate = NSPredicate(format: "SELF == %@", id)
      object = try #require(try context.fetch(request).first)
    case .byID: object = context.object(with: id)
    case .refreshed:
      object = try context.existingObject(with: id)
      context.refresh(object, mergeChanges: false)
    }
    return object
  }

  @Test(arguments: TestStore.all, Way.allCases) func valuesAreThere(_ store: TestStore, _ way: Way) throws {
    let place = try store.place(), model = Filed.model()
    defer { store.remove(place) }
    let coordinator = try store.coordinator(model, url: place)
    for name in ["in the cache", "only in the store"] {
      let id = try Filed.make(name, coordinator)
      var reader = coordinator
      if name != "in the cache" {
        // A store in memory is its cache.
        guard store.isOfTables else { continue }
        reader = try store.coordinator(model, url: place)
      }
      let context = TestModel.context(reader)
      let object = try object(
        way, #require(reader.managedObjectID(forURIRepresentation: id.uriRepresentation())), in: context)
      context.delete(object)
      let removed = Filed.removed(in: context)
      try context.save()
      #expect(removed.names == [name] && !context.hasChanges)
    }
  }

  @Test(arguments: TestStore.all, Way.allCases) func inAChildToo(_ store: TestStore, _ way: Way) throws {
    let coordinator = try store.coordinator(Filed.model())
    let id = try Filed.make("a", coordinator)
    let context = TestModel.context(coordinator), child = NSManagedObjectContext(.mainQueue)
    child.parent = context
    let object = try object(way, id, in: child)
    child.delete(object)
    let below = Filed.removed(in: child), above = Filed.removed(in: context)
    try child.save()
    #expect(below.names == ["a"] && above.names == [])
    try context.save()
    #expect(above.names == ["a"])
  }

  /// The row that is read for `didSave` makes no conflict of a deletion that is none without it.
  @Test(arguments: TestStore.all) func aDeletedFaultStillOverwritesOthers(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Filed.model())
    let id = try Filed.make("a", coordinator)
    let context = TestModel.context(coordinator), other = TestModel.context(coordinator)
    context.delete(context.object(with: id))
    try other.existingObject(with: id).setValue("b", forKey: "fileName")
    try other.save()
    let removed = Filed.removed(in: context)
    try context.save()
    // The name that the row had when it was deleted.
    #expect(removed.names == ["b"])
    #expect(try TestModel.context(coordinator).count(for: NSFetchRequest(entityName: "Filed")) == 0)
  }

  @Test func faultsOfOneEntityAreReadByOneStatement() throws {
    let place = try TestStore.sqlite.place(), model = Filed.model()
    defer { TestStore.sqlite.remove(place) }
    let writer = try TestStore.sqlite.coordinator(model, url: place)
    for number in 0..<20 { _ = try Filed.make("file \(number)", writer) }
    let context = TestModel.context(try TestStore.sqlite.coordinator(model, url: place))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Filed")
    request.includesPropertyValues = false
    try context.fetch(request).forEach(context.delete)
    let removed = Filed.removed(in: context)
    let statements = try StatementLog.collect(thisThread: true) { try context.save() }.statements
    #expect(Set(removed.names).count == 20)
    #expect(statements.count { $0.hasPrefix("SELECT") } == 1, "\(statements)")
  }
}

/// An object with a file, whose name `didSave` notes when the object is deleted.
final class Filed: NSManagedObject {
  final class Removed { var names: [String] = [] }

  override func didSave() {
    guard isDeleted, let removed = managedObjectContext?.userInfo["removed"] as? Removed else { return }
    removed.names.append(text("fileName") ?? "nil")
  }

  static func removed(in context: NSManagedObjectContext) -> Removed {
    let removed = Removed()
    context.userInfo["removed"] = removed
    return removed
  }

  static func make(_ name: String, _ coordinator: NSPersistentStoreCoordinator) throws -> NSManagedObjectID {
    let context = TestModel.context(coordinator)
    let object = Filed(context: context)
    object.setValue(name, forKey: "fileName")
    try context.save()
    return object.objectID
  }

  static func model() -> NSManagedObjectModel {
    let entity = TestModel.entity("Filed", [TestModel.attribute("fileName", .stringAttributeType)])
    entity.managedObjectClassName = NSStringFromClass(Filed.self)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}
