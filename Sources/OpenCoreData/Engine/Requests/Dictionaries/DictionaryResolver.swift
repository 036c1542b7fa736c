import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Finds the properties that a request for dictionaries names.
package struct DictionaryResolver {
  package let layout: EntityLayout
  /// Whether the rows are grouped: then an aggregate over the members of a relationship covers the members of all rows of
  /// a group.
  package var isGrouped = false

  /// All persistent attributes, with the elements of composite ones in their place.
  package var allAttributes: [DictionaryColumn] {
    layout.slots.compactMap { slot in
      guard !slot.kind.isRelationship, slot.kind != .composite, !slot.isTransient else { return nil }
      return DictionaryColumn(name: slot.name, expression: NSExpression(forKeyPath: slot.name), slot: slot)
    }
  }

  /// The columns of `propertiesToFetch`.
  /// - Throws: 134060 for a name, key path or description that is no attribute, to-one relationship or expression, and
  ///   for a name that is given twice.
  package func columns(_ properties: [Any]) throws -> [DictionaryColumn] {
    var columns: [DictionaryColumn] = []
    var names: Set<String> = []
    for property in properties {
      for column in try self.columns(property, "setPropertiesToFetch:") {
        guard names.insert(column.name).inserted else {
          throw DictionaryQuery.error(
            "Duplicate property name \(column.name) passed to setPropertiesToFetch: (entity \(layout.name))")
        }
        columns.append(column)
      }
    }
    return columns
  }

  /// The expressions of `propertiesToGroupBy`; a name may also be that of a fetched expression.
  /// - Throws: as `columns(_:)`.
  package func groups(_ properties: [Any], _ columns: [DictionaryColumn]) throws -> [NSExpression] {
    try properties.flatMap { property in
      if let name = property as? String, let column = columns.first(where: { $0.name == name }) {
        return [column.expression]
      }
      return try self.columns(property, "setPropertiesToGroupBy:").map(\.expression)
    }
  }

  private func columns(_ property: Any, _ setter: String) throws -> [DictionaryColumn] {
    switch property {
    case let path as String: return try columns(path: path, setter)
    case let computed as NSExpressionDescription: return [try column(computed, setter)]
    case let description as NSPropertyDescription:
      var entity: NSEntityDescription? = layout.entity
      while let known = entity, known.name != description.owner?.name { entity = known.superentity }
      guard entity != nil || description.owner == nil, !description.isTransient else {
        throw DictionaryQuery.error(
          "Invalid property (\(description.name)) passed to \(setter) (entity mismatch): it is no persistent property "
            + "of entity \(layout.name)")
      }
      return try columns(path: description.name, setter)
    default:
      throw DictionaryQuery.error(
        "Invalid property (\(property)) passed to \(setter) (entity \(layout.name)): a name, a key path or a property "
          + "description is expected")
    }
  }

  private func column(_ description: NSExpressionDescription, _ setter: String) throws -> DictionaryColumn {
    let named = description.expression ?? attribute(named: description.name)
    guard !description.name.isEmpty, let expression = named.map(grouped) else {
      throw DictionaryQuery.error(
        "Invalid property (\(description.name)) passed to \(setter) (entity \(layout.name)): an expression description "
          + "needs a name and an expression")
    }
    var column = DictionaryColumn(
      name: description.name, expression: expression, resultType: description.expressionResultType)
    if let path = expression.plainKeyPath, case .found(let slots)? = find(path), slots.count == 1 {
      column.slot = slots[0]
    }
    return column
  }

  /// The expression for a description that has none: the attribute with its name.
  private func attribute(named name: String) -> NSExpression? {
    guard let slot = layout.slot(named: name), !slot.kind.isRelationship, !slot.isTransient else { return nil }
    return NSExpression(forKeyPath: name)
  }

  private static let functions = [
    "@count": "count:", "@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:",
  ]

  /// With GROUP BY, `languages.@count` and `languages.name.@count` mean `count:(languages)` and `count:(languages.name)`,
  /// and `books.@sum.price` means `sum:(books.price)`.
  private func grouped(_ expression: NSExpression) -> NSExpression {
    guard isGrouped, let keys = expression.plainKeyPath?.keysOfPath,
      let place = keys.firstIndex(where: { $0.hasPrefix("@") }), place > 0,
      let function = Self.functions[keys[place]], (keys[place] == "@count") == (place == keys.count - 1)
    else { return expression }
    let path = (keys[..<place] + keys[(place + 1)...]).joined(separator: ".")
    guard case .toMany? = find(path) else { return expression }
    return NSExpression(forFunction: function, arguments: [NSExpression(forKeyPath: path)])
  }

  private func columns(path: String, _ setter: String) throws -> [DictionaryColumn] {
    if ["objectID", "self", "SELF"].contains(path) {
      return [
        DictionaryColumn(
          name: path, expression: NSExpression.expressionForEvaluatedObject(), resultType: .objectIDAttributeType)
      ]
    }
    switch find(path) {
    case .found(let slots):
      return slots.map { slot in
        let name = slots.count == 1 && !slot.isElement ? path : elementPath(path, slot)
        return DictionaryColumn(name: name, expression: NSExpression(forKeyPath: name), slot: slot)
      }
    case .toMany:
      throw DictionaryQuery.error(
        "Invalid keypath \(path) passed to \(setter) (entity \(layout.name)): a to-many relationship has no single value"
      )
    case nil: throw DictionaryQuery.error("Invalid keypath \(path) passed to \(setter) (entity \(layout.name))")
    }
  }

  // MARK: Key paths

  private enum Place {
    /// The attribute or to-one relationship at the end of the path; for a composite attribute all elements.
    case found([PropertySlot])
    case toMany
  }

  private func find(_ path: String) -> Place? {
    var layout = layout
    var keys = path.keysOfPath[...]
    while let key = keys.first {
      if let slot = layout.slot(named: keys.joined(separator: ".")), slot.isElement {
        return slot.kind == .composite ? elements(of: slot.name, layout) : slot.isTransient ? nil : .found([slot])
      }
      guard let slot = layout.slot(named: key), !slot.isTransient || slot.kind == .composite else { return nil }
      keys.removeFirst()
      switch slot.kind {
      case .toMany: return .toMany
      case .toOne:
        if keys.isEmpty { return .found([slot]) }
        guard let destination = slot.destination else { return nil }
        layout = destination.layout
      case .composite: return keys.isEmpty ? elements(of: slot.name, layout) : nil
      default: return keys.isEmpty ? .found([slot]) : nil
      }
    }
    return nil
  }

  private func elements(of composite: String, _ layout: EntityLayout) -> Place? {
    let slots = layout.slots.filter {
      $0.name.hasPrefix(composite + ".") && $0.kind != .composite && !$0.isTransient
    }
    return slots.isEmpty ? nil : .found(Array(slots))
  }

  /// Joins a path and an element: `home.address` and the element `address.city` give `home.address.city`.
  private func elementPath(_ path: String, _ slot: PropertySlot) -> String {
    let names = slot.name.keysOfPath
    let keys = path.keysOfPath
    // The path ends with the first names of the element.
    for count in stride(from: min(names.count, keys.count), to: 0, by: -1)
    where Array(keys.suffix(count)) == Array(names.prefix(count)) {
      return (keys + names.dropFirst(count)).joined(separator: ".")
    }
    return slot.name
  }
}
