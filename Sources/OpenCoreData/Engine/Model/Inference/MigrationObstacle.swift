/// A reason why a migration without a mapping model is not possible, or a condition that the data must fulfil.
package struct MigrationObstacle: Hashable, Sendable {
  /// The kind of obstacle.
  package enum Kind: String, Sendable {
    /// No mapping can be inferred.
    case noInferredMapping
    /// A mandatory property would be left without a value.
    case missingValue
    /// An object may have more members than a relationship to one object can keep.
    case severalMembers
    /// There may be objects of an entity that is abstract in the new model.
    case abstractEntity
    /// A number does not fit the attribute's new type.
    case valueOutOfRange
    /// Rows may have equal values where these must be unique.
    case constraintViolation

    /// The code of NSCocoaErrorDomain that a migration ends with: 134190 (NSInferredMappingModelError), 134110
    /// (NSMigrationError) or 134111 (NSMigrationConstraintViolationError).
    package var code: Int {
      switch self {
      case .noInferredMapping: NSInferredMappingModelError
      case .missingValue, .severalMembers, .abstractEntity, .valueOutOfRange: NSMigrationError
      case .constraintViolation: NSMigrationConstraintViolationError
      }
    }
  }

  package let kind: Kind
  /// The entity, as the destination names it.
  package let entity: String
  package let property: String?
  package let reason: String

  package init(kind: Kind, entity: String, property: String?, reason: String) {
    (self.kind, self.entity, self.property, self.reason) = (kind, entity, property, reason)
  }

  /// The obstacle as text: entity, property and reason.
  package var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}
