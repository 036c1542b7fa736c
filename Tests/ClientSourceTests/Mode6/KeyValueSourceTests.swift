import CoreData
import Foundation
import Testing

/// A class of the kind that published code has.
class Entry: NSManagedObject {
  var calls: [String] = []

  override func value(forKey key: String) -> Any? {
    key == "shout" ? (super.value(forKey: "text") as? String)?.uppercased() : super.value(forKey: key)
  }

  override func setValue(_ value: Any?, forKey key: String) {
    calls.append("set \(key)")
    super.setValue(value, forKey: key)
  }

  override func willChangeValue(forKey key: String) {
    super.willChangeValue(forKey: key)
    calls.append("will \(key)")
  }

  override func didChangeValue(forKey key: String) {
    super.didChangeValue(forKey: key)
    calls.append("did \(key)")
  }

  override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    key == "shout" ? ["text"] : super.keyPathsForValuesAffectingValue(forKey: key)
  }

  override class func automaticallyNotifiesObservers(forKey key: String) -> Bool {
    super.automaticallyNotifiesObservers(forKey: key)
  }

  override func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    calls.append("\(keyPath ?? "") \(change?[.newKey] ?? "-")")
  }

  override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
    if let text = value.pointee as? String { value.pointee = text.trimmingCharacters(in: .whitespaces) as AnyObject }
    try super.validateValue(value, forKey: key)
  }

  var text: String? {
    get {
      willAccessValue(forKey: "text")
      defer { didAccessValue(forKey: "text") }
      return primitiveValue(forKey: "text") as? String
    }
    set {
      willChangeValue(forKey: "text")
      setPrimitiveValue(newValue, forKey: "text")
      didChangeValue(forKey: "text")
    }
  }
}

/// Key-value coding and observing as published code has them in subclasses of NSManagedObject.
@Suite struct KeyValueSourceTests {
  private static func context() throws -> NSManagedObjectContext {
    let text = NSAttributeDescription()
    (text.name, text.attributeType, text.isOptional) = ("text", .stringAttributeType, true)
    let entity = NSEntityDescription()
    (entity.name, entity.managedObjectClassName) = ("Entry", NSStringFromClass(Entry.self))
    entity.properties = [text]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"), options: nil)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test func overridesAreFound() throws {
    let context = try Self.context()
    try context.performAndWait {
      let entry = Entry(context: context), object: NSObject = entry
      object.addObserver(entry, forKeyPath: "shout", options: .new, context: nil)
      entry.text = "a"
      #expect(entry.calls == ["will text", "shout A", "did text"])
      entry.calls = []
      object.setValue("b", forKey: "text")
      #expect(entry.calls == ["set text", "shout B"] && object.value(forKeyPath: "shout") as? String == "B")
      object.removeObserver(entry, forKeyPath: "shout")
      entry.calls = []
      object.willChangeValue(forKey: "text")
      object.didChangeValue(forKey: "text")
      #expect(entry.calls == ["will text", "did text"])
      entry.text = "  c "
      try context.save()
      #expect(entry.text == "c")
    }
  }
}
