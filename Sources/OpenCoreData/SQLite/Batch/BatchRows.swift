import Foundation
import OpenCocoaFoundation

/// The rows of a batch insert, read one at a time into the same place: values by slot, as a save would write them.
final class BatchRows {
  /// What gives the rows.
  enum Source {
    case dictionaries(() -> [String: Any]?)
    case dictionaryHandler((NSMutableDictionary) -> Bool)
    case objectHandler((NSManagedObject) -> Bool)
  }

  let layout: EntityLayout
  /// The row that was read last, by slot; transformable attributes as their bytes.
  private(set) var values: ContiguousArray<StoredValue>
  /// Whether that row itself gave the value of a slot.
  private(set) var isGiven: ContiguousArray<Bool>
  /// How many rows were read.
  private(set) var count = 0

  private let source: Source
  private let defaults: ContiguousArray<StoredValue>
  /// The attributes that a row may give, with their names as dictionaries of Foundation have them.
  private let attributes: ContiguousArray<(slot: PropertySlot, name: NSString)>
  private let mandatory: BatchPresence
  private var dictionary = NSMutableDictionary()
  private var object: NSManagedObject?

  /// - Throws: what a transformer makes of a default value.
  init(_ source: Source, of layout: EntityLayout) throws {
    self.source = source
    self.layout = layout
    attributes = ContiguousArray(
      layout.slots.filter { slot in
        !slot.isTransient && !slot.kind.isRelationship && slot.kind != .composite
          && !(slot.property is NSDerivedAttributeDescription)
      }.map { ($0, NSString(string: $0.name)) })
    mandatory = BatchPresence(layout)
    var defaults = layout.defaults
    for slot in layout.transformables where !slot.isTransient {
      defaults[slot.index] = try Self.encoded(defaults[slot.index], slot)
    }
    self.defaults = defaults
    values = defaults
    isGiven = ContiguousArray(repeating: false, count: layout.valueCount)
  }

  /// Reads the next row into `values`; false at the end.
  /// - Throws: 1550, 1570 and 1650 as `NSBatchInsertRequest` says.
  func next() throws -> Bool {
    switch source {
    case .dictionaries(let next):
      guard let row = next() else { return false }
      count += 1
      try read(row.count) {
        row[$0.slot.name]
      } others: {
        Array(row)
      }
    case .dictionaryHandler(let fill):
      // One that the handler has kept is its own.
      if isKnownUniquelyReferenced(&dictionary) {
        dictionary.removeAllObjects()
      } else {
        dictionary = NSMutableDictionary()
      }
      if fill(dictionary) { return false }
      count += 1
      let row = dictionary
      try read(row.count) {
        row.object(forKey: $0.name)
      } others: {
        row.map { ("\($0.key)", $0.value) }
      }
    case .objectHandler(let fill):
      let object = object ?? ManagedInstance.make(layout)
      self.object = object
      object.changes = nil
      object.relations = nil
      if fill(object) { return false }
      count += 1
      try read(object)
    }
    try mandatory.check(self)
    return true
  }

  /// Gives a slot that no row gives its value: that of a derived attribute.
  func set(_ value: StoredValue, at index: Int) { values[index] = value }

  // MARK: Dictionaries

  @inline(__always)
  private func read(
    _ size: Int, _ value: ((slot: PropertySlot, name: NSString)) -> Any?, others: () -> [(key: String, value: Any)]
  ) throws {
    var found = 0
    for attribute in attributes {
      let slot = attribute.slot
      if let value = value(attribute) {
        found += 1
        isGiven[slot.index] = true
        values[slot.index] = try accepted(value, slot)
      } else {
        isGiven[slot.index] = false
        values[slot.index] = defaults[slot.index]
      }
    }
    if found == size { return }
    for (key, value) in others() { try readOther(key, value) }
  }

  /// Reads what is no plain attribute that rows have.
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

  /// Elements that the dictionary leaves out are nil, as where an object's attribute is set.
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
        isGiven[element.index] = true
        values[element.index] = try accepted(value as Any, element)
      }
    }
  }

  // MARK: Objects

  private func read(_ object: NSManagedObject) throws {
    let given = object.changes?.values
    for (slot, _) in attributes {
      let value = given?[slot.index] ?? .unset
      // A value that is set to the default one cannot be told from that.
      let isSet = !value.isUnset && !value.isSame(as: layout.defaults[slot.index])
      isGiven[slot.index] = isSet
      values[slot.index] = isSet ? try Self.encoded(value, slot) : defaults[slot.index]
    }
    for slot in layout.slots where slot.kind.isRelationship && isRelated(object, slot) {
      throw error(
        NSManagedObjectValidationError, slot.name,
        "\(slot.name) of \(layout.name) is a relationship, which a batch insert cannot set.")
    }
  }

  private func isRelated(_ object: NSManagedObject, _ slot: PropertySlot) -> Bool {
    if slot.kind == .toMany {
      return (object.relations?.states[slot.relationIndex] as? ToManyState)?.hasChanges == true
    }
    guard let value = object.changes?.values[slot.index] else { return false }
    return !value.isNull && !value.isUnset
  }

  // MARK: Values

  private func accepted(_ value: Any, _ slot: PropertySlot) throws -> StoredValue {
    // Most values are of the attribute's own type: these need no look at what else they might be.
    switch slot.kind {
    case .string: if let value = value as? String { return .string(value) }
    case .double: if let value = value as? Double { return .double(value) }
    case .int64: if let value = value as? Int { return .int(Int64(value)) }
    case .date: if let value = value as? Date { return .double(value.timeIntervalSinceReferenceDate) }
    case .uuid: if let value = value as? UUID { return .uuid(value) }
    case .data: if let value = value as? Data { return .data(value) }
    default: break
    }
    guard let converted = StoredValue.converted(value, for: slot) else {
      throw error(
        NSManagedObjectValidationError, slot.name, StoredValue.unacceptable(value, for: slot, entity: layout.name),
        value)
    }
    return try Self.encoded(converted, slot)
  }

  private static func encoded(_ value: StoredValue, _ slot: PropertySlot) throws -> StoredValue {
    guard case .transformed(let transformed) = value else { return value }
    if let bytes = transformed.bytes { return .data(bytes) }
    return try transformed.object.map { .data(try slot.attribute.transformedBytes(of: $0)) } ?? .null
  }

  func error(_ code: Int, _ key: String, _ text: String, _ value: Any? = nil) -> NSError {
    var info: [String: Any] = [
      NSValidationKeyErrorKey: key,
      NSLocalizedFailureReasonErrorKey: "The entity is \(layout.name), the row number \(count).",
    ]
    if let value { info[NSValidationValueErrorKey] = value }
    return NSError(coreData: code, text, info)
  }
}
