import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// The derived attributes of a store's entities.
package struct SQLDerivations: Sendable {
  /// The stored derivations, in the order of the entities' numbers, then by name.
  package let all: [SQLDerivation]
  /// The derived attributes whose derivation a store cannot keep, which stay nil, with the reasons.
  package let unstored: [(entity: String, attribute: String, reason: String)]

  package init(of model: SQLModel) {
    var all: [SQLDerivation] = []
    var unstored: [(entity: String, attribute: String, reason: String)] = []
    for entity in model.entities {
      let own = entity.entity.declaredProperties.compactMap { $0 as? NSDerivedAttributeDescription }
      for derived in own.sorted(by: { $0.name < $1.name }) where !derived.isTransient {
        guard let attribute = entity.attribute(named: derived.name) else { continue }
        do {
          all.append(try Self.derivation(derived, attribute, of: entity, in: model))
        } catch {
          unstored.append((entity.name, derived.name, error.reason))
        }
      }
    }
    self.all = all
    self.unstored = unstored
  }

  /// The derivations of an entity's rows, inherited ones included.
  package func of(_ entity: SQLEntity) -> [SQLDerivation] { all.filter { $0.entity.numbers.contains(entity.number) } }

  /// The reason why a store cannot keep a value.
  private struct Unstored: Error { let reason: String }

  private static func derivation(
    _ derived: NSDerivedAttributeDescription, _ attribute: SQLAttribute, of entity: SQLEntity, in model: SQLModel
  ) throws(Unstored) -> SQLDerivation {
    let text = derived.derivationText ?? "nothing"
    guard let expression = derived.derivationExpression, let form = DerivationForm(expression) else {
      throw Unstored(reason: "a store cannot compute \(text)")
    }
    guard let kind = kind(form, of: entity, in: model) else {
      throw Unstored(reason: "\(text) leads to nothing that a store of \(entity.name) can derive from")
    }
    guard kind.fits(attribute.attribute) else {
      throw Unstored(reason: "\(text) is of another type than the attribute")
    }
    var filter: MemberFilter?
    if let predicate = derived.filteringPredicate {
      guard let members = kind.members else { throw Unstored(reason: "\(text) has no members to filter") }
      do {
        let condition = try SQLDefinition.condition(predicate, on: model.destination(of: members), in: model)
        func text(_ alias: String) -> String { SQLDefinition.text(condition, model.dialect, alias: alias) }
        filter = MemberFilter(t0: text("t0"), old: text("OLD"), new: text("NEW"))
      } catch {
        throw Unstored(reason: "a trigger cannot filter by \(predicate)")
      }
    }
    return SQLDerivation(entity: entity, attribute: attribute, kind: kind, filter: filter)
  }

  private static func kind(_ form: DerivationForm, of entity: SQLEntity, in model: SQLModel) -> SQLDerivation.Kind? {
    switch form {
    case .now: return .now
    case .function(let function, let path):
      if let source = entity.attribute(named: path.joined(separator: ".")) {
        return source.attribute is NSDerivedAttributeDescription ? nil : .row(function, source)
      }
      // A trigger cannot call these functions.
      guard function == .copy, let name = path.last else { return nil }
      var relationships: [SQLToOne] = []
      var place = entity
      for step in path.dropLast() {
        guard let toOne = place.toOne(named: step) else { return nil }
        relationships.append(toOne)
        place = model.destination(of: toOne)
      }
      return place.attribute(named: name).map { .path(relationships, $0) }
    case .count(let path):
      guard path.count == 1, let toMany = entity.toManys[path[0]] else { return nil }
      return .count(toMany)
    case .sum(let path):
      guard path.count > 1, let toMany = entity.toManys[path[0]] else { return nil }
      let name = path.dropFirst().joined(separator: ".")
      return model.destination(of: toMany).attribute(named: name).map { .sum(toMany, $0) }
    }
  }
}

extension SQLDerivation.Kind {
  /// The relationship whose members are counted or added up.
  package var members: SQLToMany? {
    switch self {
    case .now, .row, .path: nil
    case .count(let toMany), .sum(let toMany, _): toMany
    }
  }

  /// Whether the attribute can hold the value.
  fileprivate func fits(_ attribute: NSAttributeDescription) -> Bool {
    switch self {
    case .now: attribute.attributeType == .dateAttributeType
    case .row(.copy, let source), .path(_, let source):
      source.attribute.attributeType == attribute.attributeType && source.attribute.isCopiedAsItIs
    case .row(_, let source):
      attribute.attributeType == .stringAttributeType && source.attribute.attributeType == .stringAttributeType
    case .count: attribute.isNumber
    case .sum(_, let source): attribute.isNumber && source.attribute.isNumber
    }
  }
}

extension NSAttributeDescription {
  fileprivate final var isNumber: Bool {
    switch columnKind?.type {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal: true
    default: false
    }
  }

  /// Whether the stored value may be copied. A value that may be in a file of its own may not: the file belongs to one
  /// row.
  fileprivate final var isCopiedAsItIs: Bool { !allowsExternalBinaryDataStorage }
}
