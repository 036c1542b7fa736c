import CommandSupport
import CoreData
import Foundation

/// Reads what a document says of relationships.
enum ImportedReferences {
  /// - Throws: a ``ToolError`` with the place if the entity has no such relationship.
  static func relationship(
    _ name: String, of entity: NSEntityDescription, _ place: ImportedPlace
  ) throws -> NSRelationshipDescription {
    if let relationship = entity.relationshipsByName[name], !relationship.isTransient { return relationship }
    throw ToolError("\(place): \(entity.name ?? "") has no relationship “\(name)”.")
  }

  /// Calls `body` with the ids of the members of a relationship.
  /// - Throws: a ``ToolError`` with the place if the value is none of a relationship of this kind; the errors of `body`.
  static func forEachID(
    _ value: ImportedField, _ relationship: NSRelationshipDescription, _ place: ImportedPlace,
    _ body: (String) throws -> Void
  ) throws {
    switch value {
    case .null: return
    // In CSV, one field has all members of a to-many relationship.
    case .text(let text):
      guard relationship.isToMany else { return try body(text) }
      for id in text.split(separator: " ") { try body(String(id)) }
    case .list(let members) where relationship.isToMany:
      for member in members {
        guard case .text(let id) = member else {
          throw ToolError("\(place): \(relationship.name): expected the id of an object, found \(member.text).")
        }
        try body(id)
      }
    default:
      let expected = relationship.isToMany ? "a list of ids" : "the id of an object"
      throw ToolError("\(place): \(relationship.name): expected \(expected), found \(value.text).")
    }
  }
}
