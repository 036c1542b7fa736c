import Foundation

/// Compares a migrated store with its contents before, by the rules of the mapping.
package struct MigrationVerification: Sendable {
  /// The number of objects of exactly one entity.
  package struct Entity: Sendable {
    /// The name in the destination, or in the source if the entity was removed.
    package let name: String
    /// The entity's name in the source; nil for a new entity.
    package let source: String?
    package let before: Int
    package let after: Int
  }

  package internal(set) var entities: [Entity] = []
  /// The number of objects that were compared, and the number of their values, including relationships.
  package internal(set) var objects = 0
  package internal(set) var values = 0
  /// The first differences, each with object and property.
  package private(set) var differences: [String] = []
  /// The number of all differences.
  package private(set) var differenceCount = 0

  private static let mostDifferences = 20

  package var isGood: Bool { differenceCount == 0 }

  mutating func report(_ text: @autoclosure () -> String) {
    differenceCount += 1
    if differences.count < Self.mostDifferences { differences.append(text()) }
  }
}

/// An object for verification, independent of the kind of store.
struct VerifiedObject {
  let key: Int64
  /// By the attribute's name; the values of composite attributes are dictionaries.
  let attributes: [String: Any]
  /// The members of each to-many relationship, in their order if the relationship is ordered.
  let members: [String: [InspectedReference]]
}

/// Reads the objects of exactly one entity in the order of their keys.
protocol VerifiedObjects {
  /// Returns the next object; nil after the last one.
  mutating func next() throws -> VerifiedObject?
}

/// One side of a verification.
protocol VerifiedStore {
  /// Whether the store has objects of exactly that entity, or could have.
  func holds(_ entity: NSEntityDescription) -> Bool
  func objects(of entity: NSEntityDescription) throws -> any VerifiedObjects
}
