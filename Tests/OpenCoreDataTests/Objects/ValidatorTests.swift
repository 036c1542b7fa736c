import CoreData
import Testing

/// Methods `validate<Key>`, listed as generated code lists them.
@Suite struct ValidatorTests {
  private static let registered: Void = {
    _registerManagedModule(
      name: "ValidatorTests", classes: { [] }, keyPaths: { [] },
      validators: {
        [
          _ManagedValidator(CheckedSub.self, "Name") { try $0.validateName($1) },
          _ManagedValidator(Checked.self, "Name") { try $0.validateName($1) },
          _ManagedValidator(Checked.self, "Parts") { try $0.validateParts($1) },
        ]
      })
  }()

  private func with(_ store: TestStore, _ body: (NSPersistentStoreCoordinator, NSManagedObjectContext) throws -> Void)
    throws
  {
    Self.registered
    let name = TestModel.attribute("name", .stringAttributeType)
    name.setValidationPredicates([NSPredicate(format: "length < 9")], withValidationWarnings: ["Too long."])
    let base = TestModel.entity("Checked", [name, TestModel.attribute("other", .stringAttributeType)])
    base.managedObjectClassName = NSStringFromClass(Checked.self)
    let sub = TestModel.entity("CheckedSub", [], parent: base)
    sub.managedObjectClassName = NSStringFromClass(CheckedSub.self)
    let plain = TestModel.entity("Plain", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(base, "parts", max: 0, base, "whole", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [base, sub, plain]
    let coordinator = try store.coordinator(model)
    try coordinator.inContext { try body(coordinator, $0) }
  }

  @Test(arguments: TestStore.all) func onSave(_ store: TestStore) throws {
    try with(store) { coordinator, context in
      let object = context.insert("Checked", ["name": " Ada "])
      try context.save()
      #expect(object.text("name") == "Ada" && !context.hasChanges)
      object.setValue("bad", forKey: "name")
      #expect(throws: Checked.Problem.name) { try context.save() }
      // The model's rules come first.
      object.setValue("bad and long", forKey: "name")
      let refused = #expect(throws: CocoaError.self) { try context.save() }
      #expect(refused?.localizedDescription == "Too long.")
      object.setValue("good", forKey: "name")
      _ = context.make("Plain", ["name": "bad"])
      try context.save()
      object.setValue(NSSet(array: (0..<2).map { _ in context.insert("Checked") }), forKey: "parts")
      #expect(throws: Checked.Problem.parts) { try context.save() }
      object.setValue(NSSet(), forKey: "parts")
      try context.save()
      context.refresh(object, mergeChanges: false)
      object.setValue("x", forKey: "other")
      try context.save()
      #expect(object.hasFault(forRelationshipNamed: "parts"))
    }
  }

  @Test(arguments: TestStore.all) func byCall(_ store: TestStore) throws {
    try with(store) { _, context in
      let object = context.insert("Checked")
      #expect(throws: Checked.Problem.name) { try object.validateValue("bad", forKey: "name") }
      var value: AnyObject? = NSString(string: " B ")
      try object.validateValue(&value, forKey: "name")
      #expect(value as? String == "B")
      value = NSString(string: "bad")
      #expect(throws: Checked.Problem.name) { try object.validateValue(&value, forKey: "name") }
      try object.validateValue("bad", forKey: "other")
    }
  }

  @Test(arguments: TestStore.all) func anOverrideOfASubclass(_ store: TestStore) throws {
    try with(store) { _, context in
      let object = context.insert("CheckedSub", ["name": "bad"])
      #expect(throws: Checked.Problem.sub) { try context.save() }
      object.setValue("good", forKey: "name")
      try context.save()
    }
  }
}

class Checked: NSManagedObject {
  enum Problem: Error { case name, parts, sub }

  func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    guard let name = value.pointee as? String else { return }
    if name == "bad" { throw Problem.name }
    value.pointee = NSString(string: name.trimmingCharacters(in: .whitespaces))
  }

  func validateParts(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if (value.pointee as? NSSet)?.count == 2 { throw Problem.parts }
  }
}

final class CheckedSub: Checked {
  override func validateName(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if value.pointee as? String == "bad" { throw Problem.sub }
  }
}
