/// The kind of work that an entity mapping does, with Apple's raw values.
public enum NSEntityMappingType: UInt, Sendable {
  /// No type is given: the parts of the mapping decide.
  case undefinedEntityMappingType = 0
  /// The mapping's migration policy decides.
  case customEntityMappingType = 1
  /// The entity is new in the destination: nothing is migrated.
  case addEntityMappingType = 2
  /// The entity does not exist in the destination: its objects are not migrated.
  case removeEntityMappingType = 3
  /// The entity is the same in both versions.
  case copyEntityMappingType = 4
  /// The objects are made again from the mappings of their attributes and relationships.
  case transformEntityMappingType = 5
}
