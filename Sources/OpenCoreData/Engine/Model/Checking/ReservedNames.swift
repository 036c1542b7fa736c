/// Names of methods without parameters that every managed object has on Apple's systems.
///
/// Apple documents that no property may have the name of such a method of NSObject or NSManagedObject. OpenCoreData
/// accepts properties with these names, so that no data becomes unreadable. The check of a model reports them, because
/// Apple's framework does not accept the model, and because code that asks an object for `description` or `objectID`
/// without a key gets the method's result.
enum ReservedNames {
  /// The names of methods of NSManagedObject.
  private static let ofManagedObjects: Set<String> = [
    "awakeFromFetch", "awakeFromInsert", "changedValues", "changedValuesForCurrentEvent", "didSave", "didTurnIntoFault",
    "entity", "faultingState", "hasChanges", "hasPersistentChangedValues", "isDeleted", "isFault", "isInserted",
    "isUpdated", "managedObjectContext", "objectID", "prepareForDeletion", "willSave", "willTurnIntoFault",
  ]

  /// The names of methods of NSObject and of Foundation's extensions of it: its protocol, copying, archiving, key-value
  /// coding and observing, scripting.
  private static let ofObjects: Set<String> = [
    "attributeKeys", "autoContentAccessingProxy", "autorelease", "class", "classCode", "classDescription",
    "classForArchiver", "classForCoder", "classForKeyedArchiver", "classForPortCoder", "className", "copy", "dealloc",
    "debugDescription", "description", "finalize", "hash", "init", "isProxy", "mutableCopy", "objectSpecifier",
    "observationInfo", "release", "retain", "retainCount", "scriptingProperties", "self", "superclass",
    "toManyRelationshipKeys", "toOneRelationshipKeys", "zone",
  ]

  /// Returns a warning about a reserved name of a property; an empty array for any other name.
  static func doubts(about name: String) -> [String] {
    let owner =
      if ofManagedObjects.contains(name) { "NSManagedObject" } else if ofObjects.contains(name) { "NSObject" } else {
        String?.none
      }
    guard let owner else { return [] }
    return ["its name is that of a method of \(owner), which Apple's framework does not accept for a property"]
  }
}
