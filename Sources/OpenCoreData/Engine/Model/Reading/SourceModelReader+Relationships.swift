import Foundation

extension SourceModelReader {
  /// The names of delete rules in source models.
  static let deleteRules: [String: NSDeleteRule] = [
    "No Action": .noActionDeleteRule, "Nullify": .nullifyDeleteRule, "Cascade": .cascadeDeleteRule,
    "Deny": .denyDeleteRule,
  ]

  /// Reads a relationship without its destination and its inverse.
  func relationship(_ element: XMLElementTree, entity: String) throws -> NSRelationshipDescription {
    guard let name = element["name"], !name.isEmpty else {
      throw ModelProblem.inconsistent("A relationship has no name.", entity: entity)
    }
    let relationship = NSRelationshipDescription()
    readCommon(element, into: relationship)
    func count(_ attribute: String, otherwise: Int) throws -> Int {
      guard let text = element[attribute] else { return otherwise }
      guard let value = Int32(text) else {
        throw ModelProblem.inconsistent("\(attribute) is “\(text)”, not a number.", entity: entity, property: name)
      }
      return Int(value)
    }
    relationship.maxCount = try count("maxCount", otherwise: element.flag("toMany") ? 0 : 1)
    relationship.minCount = try count("minCount", otherwise: 0)
    relationship.isOrdered = element.flag("ordered")
    let rule = element["deletionRule"] ?? "Nullify"
    guard let deleteRule = Self.deleteRules[rule] else {
      throw ModelProblem.inconsistent("“\(rule)” is no deletion rule.", entity: entity, property: name)
    }
    relationship.deleteRule = deleteRule
    return relationship
  }

  /// Sets the destinations and inverses of an entity's relationships, after all entities have been read.
  func linkRelationships(of entity: NSEntityDescription, _ element: XMLElementTree) throws {
    for child in element.children(named: "relationship") {
      let name = child["name"] ?? ""
      guard let relationship = entity.declaredProperty(name) as? NSRelationshipDescription else { continue }
      guard let destination = child["destinationEntity"], !destination.isEmpty else {
        throw ModelProblem.inconsistent("The relationship has no destination.", entity: entity.name, property: name)
      }
      relationship.destinationEntity = try self.entity(destination, for: entity.name, name)
      guard let inverseName = child["inverseName"] else { continue }
      let inverseEntity = try self.entity(child["inverseEntity"] ?? destination, for: entity.name, name)
      guard let inverse = inverseEntity.findProperty(inverseName) as? NSRelationshipDescription else {
        throw ModelProblem.inconsistent(
          "The inverse, \(inverseEntity.name ?? "").\(inverseName), is no relationship.", entity: entity.name,
          property: name)
      }
      relationship.inverseRelationship = inverse
    }
  }
}

extension NSEntityDescription {
  /// Returns the property with a name that the entity declares itself.
  final func declaredProperty(_ name: String) -> NSPropertyDescription? {
    declaredProperties.first { $0.name == name }
  }

  /// Returns the property with a name, own or inherited. This costs less than `propertiesByName` while a model is being
  /// made.
  final func findProperty(_ name: String) -> NSPropertyDescription? {
    declaredProperty(name) ?? parent?.findProperty(name)
  }
}

/// Finds relationships whose inverse leads to another entity. An inverse whose own inverse is another relationship is no
/// mistake that keeps a model from being used: real applications have such models.
enum RelationshipCheck {
  /// Checks the relationships that an entity declares.
  static func check(_ entity: NSEntityDescription) throws {
    for case let relationship as NSRelationshipDescription in entity.declaredProperties {
      guard let inverse = relationship.inverseRelationship else { continue }
      let place = "\(inverse.owner?.name ?? "").\(inverse.name)"
      guard let back = inverse.destinationEntity, back.isKindOf(entity: entity) || entity.isKindOf(entity: back) else {
        throw ModelProblem.inconsistent(
          "The inverse is \(place), which leads to another entity.", entity: entity.name, property: relationship.name)
      }
    }
  }
}
