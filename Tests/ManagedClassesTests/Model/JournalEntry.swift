import CoreData

/// An entry of a journal, with what an application's class has besides managed properties.
class JournalEntry: NSManagedObject {
  @NSManaged var title: String?
  @NSManaged var written: Date?
  @NSManaged var mood: Int16
  /// Transient.
  @NSManaged var glance: String?

  /// The usual key of sections.
  var sectionTitle: String? { title.map { String($0.prefix(1)).uppercased() } }

  var isHappy: Bool { mood > 0 }

  var heading: String {
    get { "\(title ?? "") (\(mood))" }
    set { title = newValue }
  }

  var draft = ""

  class func keyPathsForValuesAffectingHeading() -> Set<String> { ["title", "mood"] }

  class func contextShouldIgnoreChangesForGlance() -> Bool { true }

  static func model() -> NSManagedObjectModel {
    let entity = NSEntityDescription()
    entity.name = "JournalEntry"
    entity.managedObjectClassName = "JournalEntry"
    let kinds: [(String, NSAttributeType)] = [
      ("title", .stringAttributeType), ("written", .dateAttributeType), ("mood", .integer16AttributeType),
      ("glance", .stringAttributeType), ("text", .stringAttributeType),
    ]
    entity.properties = kinds.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      attribute.isTransient = name == "glance"
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}

/// Has what it inherits, and one accessor more.
class LongJournalEntry: JournalEntry {
  /// A custom accessor of a modelled key: exposed to Objective-C where there is one.
  var text: String? {
    get {
      willAccessValue(forKey: "text")
      defer { didAccessValue(forKey: "text") }
      return (primitiveValue(forKey: "text") as? String)?.uppercased()
    }
    set {
      willChangeValue(forKey: "text")
      setPrimitiveValue(newValue?.lowercased(), forKey: "text")
      didChangeValue(forKey: "text")
    }
  }
}
