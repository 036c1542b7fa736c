import Foundation
import OpenCocoaFoundation

/// The rows of a batch insert. They are read one at a time into the same array of values by slot, as a save would write them.
package final class BatchRows {
  /// The source of the rows.
  package enum Source {
    case dictionaries(() -> [String: Any]?)
    case dictionaryHandler((NSMutableDictionary) -> Bool)
    case objectHandler((NSManagedObject) -> Bool)
  }

  package let layout: EntityLayout
  /// The values of the row that was read last, by slot; transformable attributes as their bytes.
  @exclusivity(unchecked) package var values: ContiguousArray<StoredValue>
  /// How many rows were read.
  @exclusivity(unchecked) package private(set) var count = 0

  private let source: Source
  package let defaults: ContiguousArray<StoredValue>
  /// For each slot, the number of the last row that gave its value.
  @exclusivity(unchecked) package var givenBy: ContiguousArray<Int>
  /// The attributes that a row may give.
  package let attributes: ContiguousArray<PropertySlot>
  /// The indexes of the slots of these attributes.
  package let places: ContiguousArray<Int>
  package let relationships: ContiguousArray<PropertySlot>
  private let attributesByName: [String: Int]
  /// The keys of the last dictionary by place: the next dictionary usually has the same keys in the same order.
  @exclusivity(unchecked) private var expected: ContiguousArray<Expected> = []
  private let mandatory: BatchPresence
  private let names: BatchRowDictionary.AttributeNames
  private var dictionary: BatchRowDictionary
  /// The object that a handler fills in; it is made for the first row.
  package var object: NSManagedObject?

  /// A name in a row, and the attribute that it stands for.
  private struct Expected {
    let name: String
    let kind: ValueKind
    /// The index of the attribute's slot; -1 for a name that is not that of a plain attribute.
    let index: Int
    /// The place of the attribute in `attributes`.
    let attribute: Int
  }

  /// - Throws: the error of a transformer for a default value.
  package init(_ source: Source, of layout: EntityLayout) throws {
    self.source = source
    self.layout = layout
    attributes = ContiguousArray(
      layout.slots.filter { slot in
        !slot.isTransient && !slot.kind.isRelationship && slot.kind != .composite
          && !(slot.property is NSDerivedAttributeDescription)
      })
    places = ContiguousArray(attributes.lazy.map(\.index))
    relationships = layout.slots.filter(\.kind.isRelationship)
    names = BatchRowDictionary.AttributeNames(ContiguousArray(attributes.lazy.map(\.name)))
    dictionary = BatchRowDictionary(names)
    attributesByName = Dictionary(zip(attributes.map(\.name), 0...), uniquingKeysWith: { first, _ in first })
    mandatory = BatchPresence(layout)
    var defaults = layout.defaults
    for slot in layout.transformables where !slot.isTransient {
      defaults[slot.index] = try Self.encoded(defaults[slot.index], slot)
    }
    self.defaults = defaults
    values = defaults
    givenBy = ContiguousArray(repeating: 0, count: layout.valueCount)
  }

  /// Reads the next row into `values`; returns false at the end.
  /// - Throws: 1550, 1570 and 1650 as `NSBatchInsertRequest` says.
  package func next() throws -> Bool {
    switch source {
    case .dictionaries(let next):
      guard let row = next() else { return false }
      count += 1
      try read(row)
    case .dictionaryHandler(let fill):
      // If the handler has kept the dictionary, it is not used again.
      if isKnownUniquelyReferenced(&dictionary) {
        dictionary.removeAllObjects()
      } else {
        dictionary = BatchRowDictionary(names)
      }
      if fill(dictionary) { return false }
      count += 1
      try read(dictionary)
    case .objectHandler(let fill):
      let object = emptyObject()
      if fill(object) { return false }
      count += 1
      try read(object)
    }
    try mandatory.check(self)
    return true
  }

  /// Sets the value of a slot that the given rows have no value for: that of a derived attribute.
  package func set(_ value: StoredValue, at index: Int) { values[index] = value }

  /// Returns whether the row that was read last itself gave the value of a slot.
  package func isGiven(_ index: Int) -> Bool { givenBy[index] == count }

  // MARK: Dictionaries

  private func read(_ row: [String: Any]) throws {
    var place = 0, found = 0
    for (name, value) in row {
      if try take(name, value, at: place) { found += 1 }
      place += 1
    }
    fillIn(found)
    if found == place { return }
    for (name, value) in row where attributesByName[name] == nil { try readOther(name, value) }
  }

  private func read(_ row: BatchRowDictionary) throws {
    for place in attributes.indices {
      guard let value = row.given(at: place) else { continue }
      let slot = attributes[place]
      givenBy[slot.index] = count
      values[slot.index] = try ExactValue.stored(value, slot.kind) ?? accepted(value, slot)
    }
    fillIn(row.givenCount)
    for (name, value) in row.rest { try readOther(name, value) }
  }

  /// Takes a value if its name is that of a plain attribute; returns whether it is.
  /// - Parameter place: the position of the name among the row's names.
  @inline(__always)
  private func take(_ name: String, _ value: Any, at place: Int) throws -> Bool {
    if place >= expected.count || expected[place].name != name { expect(name, at: place) }
    let (kind, index) = (expected[place].kind, expected[place].index)
    if index < 0 { return false }
    givenBy[index] = count
    values[index] = try ExactValue.stored(value, kind) ?? accepted(value, attributes[expected[place].attribute])
    return true
  }

  private func expect(_ name: String, at place: Int) {
    let attribute = attributesByName[name]
    let slot = attribute.map { attributes[$0] }
    let entry = Expected(
      name: name, kind: slot?.kind ?? .anything, index: slot?.index ?? -1, attribute: attribute ?? -1)
    while expected.count < place { expected.append(Expected(name: "", kind: .anything, index: -1, attribute: -1)) }
    if place == expected.count { expected.append(entry) } else { expected[place] = entry }
  }

  /// Gives their default values to attributes that the row does not contain.
  private func fillIn(_ found: Int) {
    if found == attributes.count { return }
    for slot in attributes where givenBy[slot.index] != count { values[slot.index] = defaults[slot.index] }
  }

  /// Reads a value whose name is not that of a plain attribute.
  private func readOther(_ key: String, _ value: Any) throws {
    guard let slot = layout.slot(named: key) else {
      throw error(NSManagedObjectValidationError, key, "\(layout.name) has no attribute \"\(key)\".")
    }
    switch slot.kind {
    case .toOne, .toMany:
      throw error(
        NSManagedObjectValidationError, key,
        "\(key) of \(layout.name) is a relationship, which a batch insert cannot set.")
    case .composite: try readComposite(value, slot)
    default:
      guard slot.isTransient, !slot.property.isTransient, !slot.isElement else { return }
      throw error(NSManagedObjectValidationError, key, "\(key) of \(layout.name) has no type that a store could keep.")
    }
  }

  /// Reads a composite attribute. Elements that the dictionary leaves out become nil, as when an object's attribute is set.
  private func readComposite(_ value: Any?, _ slot: PropertySlot) throws {
    let value = StoredValue.unwrapped(value)
    guard let given = (value ?? [String: Any]()) as? [String: Any] else {
      throw error(
        NSManagedObjectValidationError, slot.name,
        "Unacceptable type of value for attribute: property = \"\(slot.name)\"; desired type = a dictionary; given type = "
          + "\(value.map { "\(type(of: $0))" } ?? "nil"); entity = \(layout.name).")
    }
    let elements = layout.elements(of: slot)
    for key in given.keys where !elements.contains(where: { $0.property.name == key }) {
      throw error(
        NSManagedObjectValidationError, slot.name, "\(slot.name) of \(layout.name) has no element \"\(key)\".")
    }
    for element in elements {
      let value = given[element.property.name]
      if element.kind == .composite {
        try readComposite(value, element)
      } else if !element.isTransient {
        givenBy[element.index] = count
        values[element.index] = try accepted(value as Any, element)
      }
    }
  }

  // MARK: Values

  private func accepted(_ value: Any, _ slot: PropertySlot) throws -> StoredValue {
    guard let converted = StoredValue.converted(value, for: slot) else {
      throw error(
        NSManagedObjectValidationError, slot.name, StoredValue.unacceptable(value, for: slot, entity: layout.name),
        value)
    }
    return try Self.encoded(converted, slot)
  }

  package static func encoded(_ value: StoredValue, _ slot: PropertySlot) throws -> StoredValue {
    guard case .transformed(let transformed) = value else { return value }
    if let bytes = transformed.bytes { return .data(bytes) }
    return try transformed.object.map { .data(try slot.attribute.transformedBytes(of: $0)) } ?? .null
  }

  package func error(_ code: Int, _ key: String, _ text: String, _ value: Any? = nil) -> NSError {
    var info: [String: Any] = [
      NSValidationKeyErrorKey: key,
      NSLocalizedFailureReasonErrorKey: "The entity is \(layout.name), the row number \(count).",
    ]
    if let value { info[NSValidationValueErrorKey] = value }
    return NSError(coreData: code, text, info)
  }
}
