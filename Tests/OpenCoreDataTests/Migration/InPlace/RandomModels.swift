import Foundation

/// Versions of small models, each made of the one before by random edits.
struct RandomModels {
  struct Attribute {
    var name: String, renaming: String?, type: String
    var fill: String?
  }

  struct Side {
    var name: String, renaming: String?, isToMany: Bool, isOrdered: Bool
  }

  struct Relationship {
    var owner: Int, destination: Int
    var there: Side
    var back: Side?
  }

  struct Entity {
    var id: Int, name: String, renaming: String?, parent: Int?, isAbstract = false
    var attributes: [Attribute] = []
    var isIndexed = false
  }

  var entities: [Entity] = []
  var relationships: [Relationship] = []
  private var next = 0

  private static let types = [
    "Integer 16", "Integer 32", "Integer 64", "Boolean", "Double", "Float", "Decimal", "String", "Date", "UUID",
    "Binary",
    "URI",
  ]
  private static let numbers = types.prefix(7)

  init(using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 2...4, using: &random) { addEntity(&random) }
    for _ in 0..<Int.random(in: 1...3, using: &random) { addRelationship(&random) }
  }

  /// Another version.
  mutating func edit(_ random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...4, using: &random) { editOnce(&random) }
  }

  private mutating func name(_ start: String) -> String {
    next += 1
    // Numbers of entities follow their names.
    return "\(["", "A", "Z"][next % 3])\(start)\(next)"
  }

  private mutating func makeAttribute(_ random: inout SeededGenerator) -> Attribute {
    let type = Self.types.randomElement(using: &random) ?? "String"
    let fill = Self.numbers.contains(type) && Bool.random(using: &random) ? (type == "Boolean" ? "YES" : "3") : nil
    return Attribute(name: name("a").lowercased(), renaming: nil, type: type, fill: fill)
  }

  private mutating func addEntity(_ random: inout SeededGenerator) {
    let parent = Int.random(in: 0..<3, using: &random) == 0 ? entities.randomElement(using: &random)?.id : nil
    next += 1
    var entity = Entity(id: next, name: name("E").capitalized, renaming: nil, parent: parent)
    for _ in 0..<Int.random(in: 0...3, using: &random) { entity.attributes.append(makeAttribute(&random)) }
    entities.append(entity)
  }

  private mutating func addRelationship(_ random: inout SeededGenerator) {
    guard let owner = entities.randomElement(using: &random), let destination = entities.randomElement(using: &random)
    else { return }
    func side(_ name: String, _ random: inout SeededGenerator) -> Side {
      let isToMany = Bool.random(using: &random)
      return Side(
        name: name, renaming: nil, isToMany: isToMany,
        isOrdered: isToMany && Int.random(in: 0..<3, using: &random) == 0)
    }
    let there = side(name("r").lowercased(), &random)
    let back = Int.random(in: 0..<4, using: &random) == 0 ? nil : side(name("s").lowercased(), &random)
    relationships.append(Relationship(owner: owner.id, destination: destination.id, there: there, back: back))
  }

  private mutating func removeEntity(_ index: Int) {
    let gone = entities.remove(at: index)
    // Its subentities are those of its parent then; what they inherit goes.
    for index in entities.indices where entities[index].parent == gone.id { entities[index].parent = gone.parent }
    relationships.removeAll { $0.owner == gone.id || $0.destination == gone.id }
  }

  private func isBelow(_ entity: Int, _ other: Int) -> Bool {
    var current: Int? = entity
    while let id = current {
      if id == other { return true }
      current = entities.first { $0.id == id }?.parent
    }
    return false
  }

  private mutating func editOnce(_ random: inout SeededGenerator) {
    let index = Int.random(in: entities.indices, using: &random)
    let attribute = entities[index].attributes.indices.randomElement(using: &random)
    let relationship = relationships.indices.randomElement(using: &random)
    switch Int.random(in: 0..<17, using: &random) {
    case 0: entities[index].attributes.append(makeAttribute(&random))
    case 1: if let attribute { entities[index].attributes.remove(at: attribute) }
    case 2:
      guard let attribute else { return }
      let old = entities[index].attributes[attribute]
      entities[index].attributes[attribute].renaming = old.renaming ?? old.name
      entities[index].attributes[attribute].name = name("a").lowercased()
    case 3, 4:
      guard let attribute, Self.numbers.contains(entities[index].attributes[attribute].type) else { return }
      let type = Self.numbers.randomElement(using: &random) ?? "Double"
      entities[index].attributes[attribute].type = type
      if entities[index].attributes[attribute].fill != nil {
        entities[index].attributes[attribute].fill = type == "Boolean" ? "NO" : "5"
      }
    case 5:
      guard let attribute, Self.numbers.contains(entities[index].attributes[attribute].type) else { return }
      let isMandatory = entities[index].attributes[attribute].fill != nil
      let isBoolean = entities[index].attributes[attribute].type == "Boolean"
      entities[index].attributes[attribute].fill = isMandatory ? nil : isBoolean ? "YES" : "9"
    case 6: addEntity(&random)
    case 7: if entities.count > 2 { removeEntity(index) }
    case 8:
      entities[index].renaming = entities[index].renaming ?? entities[index].name
      entities[index].name = name("E").capitalized
    case 9: addRelationship(&random)
    case 10: if let relationship { relationships.remove(at: relationship) }
    case 11:
      guard let relationship else { return }
      relationships[relationship].there.renaming =
        relationships[relationship].there.renaming ?? relationships[relationship].there.name
      relationships[relationship].there.name = name("r").lowercased()
    case 12, 13:
      guard let relationship else { return }
      relationships[relationship].there.isToMany.toggle()
      relationships[relationship].there.isOrdered = false
    case 14:
      guard let relationship else { return }
      if relationships[relationship].there.isToMany { relationships[relationship].there.isOrdered.toggle() }
      if relationships[relationship].back?.isToMany == true { relationships[relationship].back?.isOrdered.toggle() }
    case 15:
      // Another parent, or none.
      let others = entities.filter { !isBelow($0.id, entities[index].id) }
      entities[index].parent = Bool.random(using: &random) ? others.randomElement(using: &random)?.id : nil
    default:
      // An attribute moves up.
      guard let attribute, let parent = entities.firstIndex(where: { $0.id == entities[index].parent }) else { return }
      entities[parent].attributes.append(entities[index].attributes.remove(at: attribute))
    }
  }

  // MARK: As a source model

  var text: String {
    entities.map { entity in
      let parent = entities.first { $0.id == entity.parent }.map { " parentEntity='\($0.name)'" } ?? ""
      let renaming = entity.renaming.map { " elementID='\($0)'" } ?? ""
      var lines = ["<entity name='\(entity.name)'\(parent)\(renaming)>"]
      for attribute in entity.attributes {
        let renaming = attribute.renaming.map { " elementID='\($0)'" } ?? ""
        let rest = attribute.fill.map { " defaultValueString='\($0)'" } ?? " optional='YES'"
        lines.append("<attribute name='\(attribute.name)' attributeType='\(attribute.type)'\(rest)\(renaming)/>")
      }
      for relationship in relationships {
        if relationship.owner == entity.id {
          lines.append(text(relationship.there, to: relationship.destination, relationship.back))
        }
        if relationship.destination == entity.id, let back = relationship.back {
          lines.append(text(back, to: relationship.owner, relationship.there))
        }
      }
      return (lines + ["</entity>"]).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private func text(_ side: Side, to destination: Int, _ inverse: Side?) -> String {
    let name = entities.first { $0.id == destination }?.name ?? ""
    let back = inverse.map { " inverseName='\($0.name)' inverseEntity='\(name)'" } ?? ""
    let renaming = side.renaming.map { " elementID='\($0)'" } ?? ""
    let kind = side.isToMany ? " toMany='YES'\(side.isOrdered ? " ordered='YES'" : "")" : ""
    return "<relationship name='\(side.name)' destinationEntity='\(name)' optional='YES'\(back)\(renaming)\(kind)/>"
  }
}
