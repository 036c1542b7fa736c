import Foundation
import VersionHashing

/// The version hashes of a source model, as the framework computes them from its descriptions.
package struct VersionHashes {
  /// The hashes, by the name of the entity.
  package private(set) var entities: [String: Data] = [:]
  /// The limit of the elements of a composite attribute, as in the framework.
  private static let mostElements = 500
  private let elements: [String: ModelTree]
  private let composites: [String: ModelTree]

  /// - Returns: nil for a file that the framework cannot read either, and for a file with a derivation that only the
  ///   framework can parse.
  package init?(_ contents: Data) {
    guard let model = ModelTree.parse(contents) else { return nil }
    func byName(_ kind: String) -> [String: ModelTree] {
      Dictionary(model.children(named: kind).map { ($0["name"] ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    }
    elements = byName("entity")
    composites = byName("composite")
    for name in elements.keys where !hasFewAncestors(name) || hash(of: name, below: []) == nil { return nil }
  }

  /// The checksum of the model.
  package var checksum: String { VersionHash.checksum(of: entities) }

  // MARK: Entities

  /// Whether an entity has no more ancestors than the framework reads.
  private func hasFewAncestors(_ name: String) -> Bool {
    var next = elements[name]?["parentEntity"]
    for _ in 0..<ModelCheck.mostAncestors {
      guard let current = next else { return true }
      next = elements[current]?["parentEntity"]
    }
    return next == nil
  }

  /// Returns the hash of an entity.
  /// - Parameter names: the subentities whose hashes need this one; an entity among them would be its own ancestor.
  private mutating func hash(of name: String, below names: [String]) -> Data? {
    if let known = entities[name] { return known }
    guard let entity = elements[name], !names.contains(name) else { return nil }
    var superentity: Data?
    if let parent = entity["parentEntity"] {
      superentity = hash(of: parent, below: names + [name])
      if superentity == nil { return nil }
    }
    guard let properties = properties(of: entity) else { return nil }
    let constraints = entity.children(named: "uniquenessConstraints").flatMap {
      $0.children(named: "uniquenessConstraint")
    }.map { $0.children(named: "constraint").map { $0["value"] ?? "" } }
    let hash = VersionHash.entity(
      name, isAbstract: entity.flag("isAbstract"), superentity: superentity, properties: properties,
      modifier: entity["versionHashModifier"], constraints: constraints)
    entities[name] = hash
    return hash
  }

  /// Returns the entity's own and inherited properties that count. The chain of superentities is known to end.
  private func properties(of entity: ModelTree) -> [(name: String, hash: Data)]? {
    var result: [(name: String, hash: Data)] = []
    var current: ModelTree? = entity
    while let element = current {
      for child in element.children where !child.flag("transient") {
        guard ["attribute", "relationship"].contains(child.element.name) else { continue }
        var budget = Self.mostElements
        let hash =
          child.element.name == "attribute" ? attribute(child, in: [], &budget) : relationship(child)
        guard let name = child["name"], let hash else { return nil }
        result.append((name, hash))
      }
      current = element["parentEntity"].flatMap { elements[$0] }
    }
    return result
  }

  // MARK: Properties

  private func base(_ property: ModelTree) -> Data {
    VersionHash.base(
      property["name"] ?? "", isOptional: property.flag("optional"), isTransient: property.flag("transient"),
      modifier: property["versionHashModifier"])
  }

  /// Returns the hash of an attribute.
  /// - Parameter outer: the composites of which the attribute is an element.
  /// - Parameter budget: how many elements may still be read. A limit is needed because composites of composites may
  ///   have any number.
  private func attribute(_ attribute: ModelTree, in outer: [String], _ budget: inout Int) -> Data? {
    budget -= 1
    guard budget > 0 else { return nil }
    if attribute.flag("derived") {
      return DerivationSource.text(attribute["derivationExpression"] ?? "").map(VersionHash.derivedAttribute)
    }
    if attribute["attributeType"] == "Composite" {
      let type = attribute["composite"] ?? ""
      guard let composite = composites[type], !outer.contains(type) else { return nil }
      var elements: [(name: String, hash: Data)] = []
      for element in composite.children(named: "attribute") {
        guard let name = element["name"], let hash = self.attribute(element, in: outer + [type], &budget) else {
          return nil
        }
        elements.append((name, hash))
      }
      return VersionHash.compositeAttribute(elements)
    }
    let type = attribute["attributeType"] ?? (attribute.flag("transient") ? "Undefined" : "")
    guard let number = AttributeTypes.numbers[type] else { return nil }
    return VersionHash.attribute(
      base: base(attribute), type: number, allowsExternalStorage: attribute.flag("allowsExternalBinaryDataStorage"),
      preservesValueOnDeletion: attribute.flag("preserveAfterDeletion"))
  }

  private func relationship(_ relationship: ModelTree) -> Data? {
    func count(_ attribute: String, otherwise: Int) -> Int? {
      relationship.element.attributes[attribute].map { Int32($0).map(Int.init) } ?? otherwise
    }
    guard let maxCount = count("maxCount", otherwise: relationship.flag("toMany") ? 0 : 1),
      let minCount = count("minCount", otherwise: 0)
    else { return nil }
    return VersionHash.relationship(
      base: base(relationship), destination: relationship["destinationEntity"], inverse: relationship["inverseName"],
      minCount: minCount, maxCount: maxCount, isOrdered: relationship.flag("ordered"))
  }
}
