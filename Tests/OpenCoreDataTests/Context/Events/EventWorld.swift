import CoreData

/// Owners of pets (cascade) who have friends, and what their hooks do.
enum EventWorld {
  static func model() -> NSManagedObjectModel {
    let alias = TestModel.attribute("alias", .stringAttributeType, "none")
    alias.isTransient = true
    let owner = TestModel.entity(
      "Owner",
      [
        TestModel.attribute("name", .stringAttributeType), TestModel.attribute("age", .integer16AttributeType, 7),
        alias,
      ])
    owner.managedObjectClassName = NSStringFromClass(EventOwner.self)
    let pet = TestModel.entity(
      "Pet", [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("age", .integer16AttributeType)])
    TestModel.relate(owner, "pets", max: 0, pet, "owner", max: 1, rule: .cascadeDeleteRule)
    TestModel.relate(owner, "friends", max: 0, owner, "friendOf", max: 0)
    let model = NSManagedObjectModel()
    model.entities = [owner, pet]
    return model
  }

  static func coordinator(_ store: TestStore = .sqlite, url: URL? = nil) throws -> NSPersistentStoreCoordinator {
    try store.coordinator(model(), url: url)
  }

  /// A context with Ada, who owns Rex, and Bob, saved; with what it tells from then on.
  static func inContext(
    _ store: TestStore, _ body: (NSManagedObjectContext, EventRecorder) throws -> Void
  ) throws {
    try coordinator(store).inContext { context in
      let ada = context.owner(["name": "Ada"])
      _ = context.make("Pet", ["name": "Rex", "owner": ada])
      _ = context.owner(["name": "Bob"])
      try context.save()
      try body(context, EventRecorder(context))
    }
  }
}

/// What the objects of a context do when their hooks are called, and which were.
final class EventHooks {
  var calls: [String] = []
  var willSave: ((EventOwner) -> Void)?
  var didSave: ((EventOwner) -> Void)?
  var awakeFromFetch: ((EventOwner) -> Void)?
  var prepareForDeletion: ((EventOwner) -> Void)?
  var willTurnIntoFault: ((EventOwner) -> Void)?

  init(_ context: NSManagedObjectContext) { context.userInfo["hooks"] = self }
}

final class EventOwner: NSManagedObject {
  private func call(_ hook: String) -> EventHooks? {
    let hooks = managedObjectContext?.userInfo["hooks"] as? EventHooks
    hooks?.calls.append("\(hook) \(primitiveValue(forKey: "name") as? String ?? "nil")")
    return hooks
  }

  override func willSave() { call("willSave")?.willSave?(self) }
  override func didSave() { call("didSave")?.didSave?(self) }
  override func awakeFromFetch() { call("awakeFromFetch")?.awakeFromFetch?(self) }
  override func prepareForDeletion() { call("prepareForDeletion")?.prepareForDeletion?(self) }
  override func willTurnIntoFault() { call("willTurnIntoFault")?.willTurnIntoFault?(self) }
}

extension NSManagedObjectContext {
  /// A new owner, of the class that has hooks.
  func owner(_ values: [String: Any] = [:]) -> NSManagedObject {
    let entity = persistentStoreCoordinator!.managedObjectModel.entitiesByName["Owner"]!
    let owner = EventOwner(entity: entity, insertInto: self)
    for (key, value) in values { owner.setValue(value, forKey: key) }
    return owner
  }
}
