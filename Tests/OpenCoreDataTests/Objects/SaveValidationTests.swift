import CoreData
import Testing

/// What a save validates, when, and what it makes of the errors.
@Suite struct SaveValidationTests {
  private func with(
    _ store: TestStore, _ body: (NSPersistentStoreCoordinator, NSManagedObjectContext) throws -> Void
  ) throws {
    let item = TestModel.entity(
      "Item",
      [
        TestModel.attribute("text", .stringAttributeType), TestModel.attribute("count", .integer32AttributeType),
        TestModel.attribute("name", .stringAttributeType, optional: false, "N"),
      ])
    item.managedObjectClassName = NSStringFromClass(JudgedItem.self)
    TestModel.relate(item, "parts", max: 0, item, "whole", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [item]
    let coordinator = try store.coordinator(model)
    try coordinator.inContext { try body(coordinator, $0) }
  }

  private func item(_ context: NSManagedObjectContext, _ text: String) throws -> JudgedItem {
    let item = try #require(context.insert("Item") as? JudgedItem)
    item.setValue(text, forKey: "text")
    return item
  }

  @Test(arguments: TestStore.all) func whoIsAsked(_ store: TestStore) throws {
    try with(store) { coordinator, context in
      let a = try item(context, "a"), b = try item(context, "b"), idle = try item(context, "idle")
      let discarded = try item(context, "discarded")
      context.delete(discarded)
      try context.save()
      #expect(a.calls == ["willSave", "insert"] && b.calls == a.calls && discarded.calls.isEmpty)
      for item in [a, b, idle] { item.calls = [] }
      a.setValue("c", forKey: "text")
      context.delete(b)
      try context.save()
      #expect(a.calls == ["willSave", "update"] && b.calls == ["willSave", "delete"] && idle.calls.isEmpty)
      // An object whose row turned out to be gone is not asked.
      a.calls = []
      context.refresh(a, mergeChanges: false)
      try coordinator.inContext { other in
        other.delete(other.object(with: a.objectID))
        try other.save()
      }
      #expect(a.value(forKey: "text") == nil && a.isDeleted)
      try context.save()
      #expect(!a.calls.contains("delete") && !a.calls.contains("update"))
    }
  }

  @Test(arguments: TestStore.all) func anotherValueInItsPlace(_ store: TestStore) throws {
    try with(store) { coordinator, context in
      let a = try item(context, "a")
      try item(context, "part").setValue(a, forKey: "whole")
      try context.save()
      a.setValue("  b ", forKey: "text")
      try context.save()
      #expect(a.text("text") == "b" && !context.hasChanges)
      #expect(try coordinator.inContext { $0.object(with: a.objectID).text("text") } == "b")
      // Changed by its validation, the object is asked again.
      #expect(a.calls.suffix(4) == ["willSave", "update", "willSave", "update"])
      context.refresh(a, mergeChanges: false)
      a.setValue("c", forKey: "text")
      try context.save()
      #expect(a.hasFault(forRelationshipNamed: "parts"))
    }
  }

  @Test(arguments: TestStore.all) func changesOfOtherObjects(_ store: TestStore) throws {
    try with(store) { coordinator, context in
      let a = try item(context, "a"), b = try item(context, "b"), c = try item(context, "c")
      try context.save()
      for item in [a, b, c] { item.calls = [] }
      a.onUpdate = { _ in
        if b.number("count") != 5 { b.setValue(5, forKey: "count") }
        if !c.isDeleted { context.delete(c) }
        if context.insertedObjects.isEmpty { context.insert("Item", ["text": "new"]) }
      }
      a.setValue("A", forKey: "text")
      try context.save()
      #expect(!context.hasChanges && b.calls == ["willSave", "update"] && c.calls.contains("delete"))
      try coordinator.inContext { other in
        let texts = try other.all("Item", sortedBy: "text").map { $0.text("text") }
        #expect(texts == ["A", "b", "new"])
        #expect(other.object(with: b.objectID).number("count") == 5)
      }
      // They are validated, too.
      a.onUpdate = { _ in b.setValue(nil, forKey: "name") }
      a.setValue("AA", forKey: "text")
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMissingMandatoryProperty && error?.validationObject as? JudgedItem === b)
    }
  }

  @Test func endlessChanges() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try SaveValidationTests().with(.sqlite) { _, context in
        let a = try SaveValidationTests().item(context, "a")
        a.onInsert = { $0.setValue(($0.number("count") ?? 0) + 1, forKey: "count") }
        try context.save()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      text.contains(
        "Failed to process pending changes before save.  The context is still dirty after 1000 attempts."))
  }

  @Test(arguments: TestStore.all) func errorsOfOnesOwn(_ store: TestStore) throws {
    try with(store) { _, context in
      let a = try item(context, "a")
      a.onInsert = { _ in throw NSError(domain: "Own", code: 7) }
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == "Own" && error?.code == 7)
      a.onInsert = { _ in throw JudgedItem.Refusal.bad }
      #expect(throws: JudgedItem.Refusal.bad) { try context.save() }
      // With an error of the model.
      a.onInsert = nil
      try item(context, "b").onInsert = { _ in throw NSError(domain: "Own", code: 8) }
      a.setValue(nil, forKey: "name")
      for _ in 0..<2 {
        let both = #expect(throws: CocoaError.self) { try context.save() }
        let details = both?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
        #expect(both?.code == .validationMultipleErrors && details.map(\.code) == [1570, 8])
        #expect(both?.localizedDescription == "Multiple validation errors occurred.")
        #expect(context.insertedObjects.count == 2)
      }
    }
  }

  /// Updates and deletions that a class refuses: the save fails with its error, and everything waits to be saved still.
  @Test(arguments: [false, true], TestStore.all)
  func refusedUpdatesAndDeletions(isDeletion: Bool, _ store: TestStore) throws {
    try with(store) { coordinator, context in
      let items = try ["a", "b", "c"].map { try item(context, $0) }
      try item(context, "part").setValue(items[1], forKey: "whole")
      try context.save()
      func stored() throws -> [String] {
        try coordinator.inContext { other in
          try other.all("Item", sortedBy: "text").map { "\($0.text("text") ?? "-") \($0.one("whole") != nil)" }
        }
      }
      items[0].setValue("A", forKey: "text")
      context.delete(items[1])
      let new = try item(context, "new")
      let asked = items[isDeletion ? 1 : 0]
      let refusal: (JudgedItem) throws -> Void = { _ in throw NSError(domain: "Own", code: 5) }
      if isDeletion { asked.onDelete = refusal } else { asked.onUpdate = refusal }
      for _ in 0..<2 {
        asked.calls = []
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == "Own" && error?.code == 5)
        #expect(asked.calls == ["willSave", isDeletion ? "delete" : "update"])
        #expect(try stored() == ["a false", "b false", "c false", "part true"])
        #expect(context.deletedObjects == [items[1]] && context.insertedObjects == [new])
        #expect(context.updatedObjects.contains(items[0]) && items[0].text("text") == "A")
        #expect(new.objectID.isTemporaryID && !items[2].hasChanges)
      }
      // With one more it is one of several.
      items[0].onUpdate = { _ in throw NSError(domain: "Own", code: 6) }
      items[1].onDelete = refusal
      let both = #expect(throws: CocoaError.self) { try context.save() }
      let details = both?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(both?.code == .validationMultipleErrors && Set(details.map(\.code)) == [5, 6] && details.count == 2)
      (items[0].onUpdate, items[1].onDelete) = (nil, nil)
      try context.save()
      #expect(try stored() == ["A false", "c false", "new false", "part false"] && !context.hasChanges)
    }
  }

  /// As Apple's documentation adds an error of one's own to those of super.
  private func combine(_ original: NSError, _ second: NSError) -> NSError {
    var errors = [second]
    var info: [String: Any] = [:]
    if original.code == NSValidationMultipleErrorsError {
      info = original.userInfo
      errors += original.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
    } else {
      errors.append(original)
    }
    info[NSDetailedErrorsKey] = errors
    return NSError(domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError, userInfo: info)
  }

  @Test(arguments: TestStore.all) func ownErrorsBesideThoseOfSuper(_ store: TestStore) throws {
    try with(store) { _, context in
      let a = try item(context, "a"), b = try item(context, "b")
      for item in [a, b] {
        item.setValue(nil, forKey: "name")
        item.onError = { self.combine($0, NSError(domain: "Own", code: 9)) }
      }
      b.onError = { self.combine(self.combine($0, NSError(domain: "Own", code: 9)), NSError(domain: "Own", code: 10)) }
      let error = #expect(throws: CocoaError.self) { try context.save() }
      // Compound errors are taken apart.
      let details = error?.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
      #expect(details.map(\.code) == [9, 1570, 10, 9, 1570])
      context.delete(b)
      a.onError = { _ in
        NSError(
          domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError,
          userInfo: [NSDetailedErrorsKey: [NSError(domain: "Own", code: 11)]])
      }
      let refused = #expect(throws: NSError.self) { try context.save() }
      #expect(refused?.domain == "Own")
    }
  }

  @Test(arguments: TestStore.all) func transientAttributes(_ kind: TestStore) throws {
    let cached = TestModel.attribute("cached", .stringAttributeType, optional: false)
    cached.isTransient = true
    cached.setValidationPredicates([NSPredicate(format: "length < 3")], withValidationWarnings: ["Short, please."])
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Thing", [cached, TestModel.attribute("text", .stringAttributeType)])]
    try kind.coordinator(model).inContext { context in
      let thing = context.make("Thing", ["text": "a"])
      // No store misses it.
      try context.save()
      thing.setValue("long", forKey: "cached")
      let refused2 = #expect(throws: CocoaError.self) { try context.save() }
      #expect(refused2?.localizedDescription == "Short, please.")
      thing.setValue("ok", forKey: "cached")
      try context.save()
    }
  }

  @Test(arguments: TestStore.all) func nilForANumber(_ store: TestStore) throws {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity("Thing", [TestModel.attribute("count", .integer32AttributeType, optional: false, 3)])
    ]
    try store.coordinator(model).inContext { context in
      let thing = context.make("Thing")
      thing.setValue(nil, forKey: "count")
      #expect(thing.value(forKey: "count") == nil)
      let error = #expect(throws: CocoaError.self) { try context.save() }
      #expect(error?.code == .validationMissingMandatoryProperty)
      #expect(error?.localizedDescription == "count is a required value.")
    }
  }
}

/// Notes what it is asked, and answers as a test wants.
final class JudgedItem: NSManagedObject {
  enum Refusal: Error { case bad }

  var calls: [String] = []
  var onInsert: ((JudgedItem) throws -> Void)?
  var onUpdate: ((JudgedItem) throws -> Void)?
  var onDelete: ((JudgedItem) throws -> Void)?
  var onError: ((NSError) -> NSError)?

  override func willSave() {
    super.willSave()
    calls.append("willSave")
  }

  override func validateForInsert() throws {
    calls.append("insert")
    do { try super.validateForInsert() } catch { throw onError?(error as NSError) ?? error as NSError }
    try onInsert?(self)
  }

  override func validateForUpdate() throws {
    calls.append("update")
    try super.validateForUpdate()
    try onUpdate?(self)
  }

  override func validateForDelete() throws {
    calls.append("delete")
    try super.validateForDelete()
    try onDelete?(self)
  }

  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    if let text = value.pointee as? String {
      // Another object every time, also for an equal text.
      value.pointee = NSString(string: text.trimmingCharacters(in: .whitespaces))
    }
    try super.validateValue(value, forKey: key)
  }
}
