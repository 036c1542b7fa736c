import CoreData
import Testing

/// A store that two contexts edit: people with values that need not be unique, accounts with values that must be.
struct MergeWorld {
  let coordinator: NSPersistentStoreCoordinator

  static let policies: [NSMergePolicyType] = [
    .mergeByPropertyStoreTrumpMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType,
    .rollbackMergePolicyType,
  ]

  static func accounts() -> NSManagedObjectModel {
    let account = TestModel.entity(
      "Account",
      [
        TestModel.attribute("email", .stringAttributeType), TestModel.attribute("first", .stringAttributeType),
        TestModel.attribute("last", .stringAttributeType), TestModel.attribute("points", .integer64AttributeType, 0),
        TestModel.attribute("note", .stringAttributeType),
      ])
    account.uniquenessConstraints = [["email"], ["first", "last"]]
    let admin = TestModel.entity("Admin", [TestModel.attribute("level", .integer64AttributeType)], parent: account)
    admin.uniquenessConstraints = [["level"]]
    let order = TestModel.entity("Order", [TestModel.attribute("name", .stringAttributeType)])
    let group = TestModel.entity("Group", [TestModel.attribute("name", .stringAttributeType)])
    let log = TestModel.entity("Log", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(account, "orders", max: 0, order, "account", max: 1, rule: .cascadeDeleteRule)
    TestModel.relate(account, "groups", max: 0, group, "accounts", max: 0)
    let about = NSRelationshipDescription()
    (about.name, about.destinationEntity, about.maxCount, about.isOptional) = ("about", account, 1, true)
    log.properties.append(about)
    let model = NSManagedObjectModel()
    model.entities = [account, admin, order, group, log]
    return model
  }

  init(_ store: TestStore = .sqlite, _ model: NSManagedObjectModel = Society.model(), url: URL? = nil) throws {
    coordinator = try store.coordinator(model, url: url)
  }

  func context(_ type: NSMergePolicyType? = nil) -> NSManagedObjectContext {
    let context = TestModel.context(coordinator)
    if let type { context.mergePolicy = NSMergePolicy(merge: type) }
    return context
  }

  /// Runs `edit` on the object of that name in a context of its own, and saves.
  func elsewhere(_ name: String = "A", _ entity: String = "Person", _ edit: (NSManagedObject) throws -> Void) throws {
    try coordinator.inContext { context throws in
      try edit(try context.named(name, entity))
      try context.save()
    }
  }

  func make(_ entity: String = "Person", _ values: [String: Any]...) throws {
    try coordinator.inContext { context throws in
      for values in values { _ = context.make(entity, values) }
      try context.save()
    }
  }
}

extension NSError {
  var conflicts: [NSMergeConflict] { userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? [] }

  var constraintConflicts: [NSConstraintConflict] {
    userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
  }
}
