/// Why a migration without a mapping model cannot be done, or what the data must be like.
package struct MigrationObstacle: Hashable, Sendable {
  /// What stands in the way, with the code of NSCocoaErrorDomain that a migration ends with.
  package enum Kind: Int, Sendable {
    /// NSInferredMappingModelError: no mapping can be inferred.
    case noInferredMapping = 134190
    /// NSMigrationError: a mandatory property would be left without a value.
    case missingValue = 134110
    /// NSMigrationConstraintViolationError: rows may be equal where they must be unique.
    case constraintViolation = 134111
  }

  package let kind: Kind
  /// The entity, as the destination names it.
  package let entity: String
  package let property: String?
  package let reason: String

  /// Entity and property with the reason.
  package var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}
