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

  /// Returns the ids of the members of a relationship.
  /// - Throws: a ``ToolError`` with the place if the value is none of a relationship of this kind.
  static func ids(
    _ value: ImportedField, _ relationship: NSRelationshipDescription, _ place: ImportedPlace
  ) throws -> [String] {
    switch value {
    case .null: return []
    // In CSV, one field has all members of a to-many relationship.
    case .text(let text): return relationship.isToMany ? text.split(separator: " ").map(String.init) : [text]
    case .list(let members) where relationship.isToMany:
      return try members.map { member in
        if case .text(let id) = member { return id }
        throw ToolError("\(place): \(relationship.name): expected the id of an object, found \(member.text).")
      }
    default:
      let expected = relationship.isToMany ? "a list of ids" : "the id of an object"
      throw ToolError("\(place): \(relationship.name): expected \(expected), found \(value.text).")
    }
  }
}
