import CommandSupport
import ModelCompilerCore

extension ModelSource {
  /// Returns the source with one entity for each class. Of entities that share a class, the topmost one, or the first by
  /// name, is kept, with the properties of all of them.
  /// - Throws: A ``ToolError`` if a property has two types, or if the superclasses differ.
  func sharingClasses() throws -> ModelSource {
    var result = self
    let groups = Dictionary(grouping: entities.indices.filter { entities[$0].generation == .definition }) {
      entities[$0].className ?? ""
    }
    for (className, members) in groups where members.count > 1 {
      let names = Set(members.map { entities[$0].name })
      let tops = members.filter { !names.contains(entities[$0].parent ?? "") }
      let superclasses = Set(tops.map { superclass(of: entities[$0], names) ?? "NSManagedObject" })
      guard let first = tops.first, superclasses.count == 1 else {
        throw ToolError(
          "The entities \(names.sorted().joined(separator: ", ")) share the class \(className), which would need several "
            + "superclasses: \(superclasses.sorted().joined(separator: ", ")).")
      }
      for other in members where other != first {
        try result.add(entities[other], to: first)
        result.entities[other].generation = .manual
        (result.entities[other].attributes, result.entities[other].relationships) = ([], [])
      }
    }
    return result
  }

  private func superclass(of entity: EntitySource, _ sharing: Set<String>) -> String? {
    entity.parent.flatMap { name in entities.first { $0.name == name } }?.className
  }

  private mutating func add(_ other: EntitySource, to place: Int) throws {
    let entity = entities[place]
    func mismatch(_ name: String) -> ToolError {
      ToolError(
        "The entities \(entity.name) and \(other.name) share the class \(entity.className ?? ""), and their properties "
          + "“\(name)” are of different types.")
    }
    for attribute in other.attributes {
      if entity.relationships.contains(where: { $0.name == attribute.name }) { throw mismatch(attribute.name) }
      guard let known = entity.attributes.first(where: { $0.name == attribute.name }) else {
        entities[place].attributes.append(attribute)
        continue
      }
      guard known.type == attribute.type, known.customClassName == attribute.customClassName else {
        throw mismatch(attribute.name)
      }
    }
    for relationship in other.relationships {
      if entity.attributes.contains(where: { $0.name == relationship.name }) { throw mismatch(relationship.name) }
      guard let known = entity.relationships.first(where: { $0.name == relationship.name }) else {
        entities[place].relationships.append(relationship)
        continue
      }
      guard known.isToMany == relationship.isToMany, known.isOrdered == relationship.isOrdered,
        className(of: known.destination) == className(of: relationship.destination)
      else { throw mismatch(relationship.name) }
    }
  }

  private func className(of entity: String?) -> String? { entities.first { $0.name == entity }?.className }
}
