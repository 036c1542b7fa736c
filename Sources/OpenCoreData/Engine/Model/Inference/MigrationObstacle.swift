/// Why a migration without a mapping model cannot be done, or what the data must be like.
package struct MigrationObstacle: Hashable, Sendable {
  /// The kind of obstacle.
  package enum Kind: String, Sendable {
    /// No mapping can be inferred.
    case noInferredMapping
    /// A mandatory property would be left without a value.
    case missingValue
    /// An object may have several members in a relationship that becomes to-one.
    case severalMembers
    /// There may be objects of an entity that is abstract in the new model.
    case abstractEntity
    /// A number does not fit the attribute's new type.
    case valueOutOfRange
    /// Rows may have equal values in a uniqueness constraint of the destination.
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

  /// Entity and property with the reason.
  package var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}
