/// The kind of work that an entity mapping does, with Apple's raw values.
public enum NSEntityMappingType: UInt, Sendable {
  /// No type is given; the mapping's parts determine the work.
  case undefinedEntityMappingType = 0
  /// The mapping's migration policy decides.
  case customEntityMappingType = 1
  /// The entity is new in the destination: nothing is migrated.
  case addEntityMappingType = 2
  /// The entity is gone in the destination: its objects are not migrated.
  case removeEntityMappingType = 3
  /// The entity is the same in both versions.
  case copyEntityMappingType = 4
  /// The destination objects are made with the values of the attribute and relationship mappings.
  case transformEntityMappingType = 5
}
