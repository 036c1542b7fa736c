import Foundation
import OpenCocoaFoundation

/// The contents of a binary store's file: a property list, in which `Format` names the framework that wrote it.
///
///     { Format = "OpenCoreData"; FormatVersion = 1; UUID = ...; LastObjectID = 105; Metadata = <a property list>;
///       Entities = ( { Name = Person; Properties = (age, boss, name); Objects = ( (102, 40, 103, Bob), ... ) }, ... ) }
///
/// A UID stands for nil. A to-one relationship is the number of an object, a to-many relationship an array of such numbers.
struct BinaryStoreDocument {
  private static let format = "OpenCoreData"
  private static let formatVersion: Int64 = 1
  private static let null = PropertyListValue.uid(0)

  private(set) var metadata: StoreMetadata
  let lastReference: Int64
  private var root: [String: PropertyListValue]

  /// Reads a file.
  /// - Throws: `StoreFileProblem`.
  init(_ data: Data) throws {
    do {
      root = try BinaryPropertyListReader.read(data).dictionaryValue ?? [:]
    } catch let problem as ArchiveProblem {
      throw StoreFileProblem("It is no binary store, or a damaged one. \(problem.reason)")
    }
    guard root["Format"]?.stringValue == Self.format else {
      throw StoreFileProblem(
        "It is no binary store of this framework; the form of those that Apple's framework writes is not known (D-STO-15)."
      )
    }
    guard root["FormatVersion"]?.integerValue == Self.formatVersion else {
      throw StoreFileProblem("It was written by a later version of this framework.")
    }
    guard let identifier = root["UUID"]?.stringValue, UUID(uuidString: identifier) != nil,
      let last = root["LastObjectID"]?.integerValue, let list = root["Metadata"]?.dataValue,
      let properties = try? PropertyListReader.dictionary(list)
    else { throw StoreFileProblem("It does not say which store it is.") }
    metadata = StoreMetadata(identifier: identifier, properties: properties)
    lastReference = last
  }

  /// Makes the contents of a file from nodes, which are grouped by entity.
  init(
    _ metadata: StoreMetadata, lastReference: Int64, entities: [[NSAtomicStoreCacheNode]],
    isStored: (NSAtomicStoreCacheNode) -> Bool
  ) throws {
    self.metadata = metadata
    self.lastReference = lastReference
    root = [
      "Format": .string(Self.format), "FormatVersion": .integer(Self.formatVersion),
      "LastObjectID": .integer(lastReference),
      "Entities": .array(try entities.map { try Self.entity($0, isStored) }),
    ]
    try set(metadata)
  }

  /// Replaces the metadata.
  mutating func set(_ metadata: StoreMetadata) throws {
    self.metadata = metadata
    root["UUID"] = .string(metadata.identifier)
    root["Metadata"] = .data(
      try PropertyListSerialization.data(fromPropertyList: metadata.properties, format: .binary, options: 0))
  }

  var data: Data { BinaryPropertyListWriter.write(.dictionary(root)) }

  // MARK: Writing

  private static func entity(
    _ nodes: [NSAtomicStoreCacheNode], _ isStored: (NSAtomicStoreCacheNode) -> Bool
  ) throws -> PropertyListValue {
    guard let layout = nodes.first?.objectID.entity.layout else { return .dictionary([:]) }
    let slots = layout.slotsInFiles
    return .dictionary([
      "Name": .string(layout.name), "Properties": .array(slots.map { .string($0.name) }),
      "Objects": .array(
        try nodes.map { node in
          .array([.integer(node.objectID.key)] + (try slots.map { try value(of: node, $0, isStored) }))
        }),
    ])
  }

  private static func value(
    of node: NSAtomicStoreCacheNode, _ slot: PropertySlot, _ isStored: (NSAtomicStoreCacheNode) -> Bool
  ) throws -> PropertyListValue {
    if slot.kind.isRelationship {
      let members = node.members(slot.name).filter(isStored).map(\.objectID.key)
      if slot.kind == .toOne { return members.first.map(PropertyListValue.integer) ?? null }
      return .array((slot.isOrdered ? members : members.sorted()).map(PropertyListValue.integer))
    }
    return try node.stored(slot).propertyListValue(slot) ?? null
  }

  // MARK: Reading

  /// The number of objects of each entity.
  var objectCounts: [String: Int] {
    var counts: [String: Int] = [:]
    for group in root["Entities"]?.arrayValue ?? [] {
      let name = group.dictionaryValue?["Name"]?.stringValue ?? ""
      counts[name, default: 0] += group.dictionaryValue?["Objects"]?.arrayValue?.count ?? 0
    }
    return counts
  }

  /// Makes nodes from the objects. Entities and properties that the model does not have are errors, because the next save
  /// would lose their values.
  func readObjects(_ entities: [NSEntityDescription], into loader: inout NodeLoader) throws {
    let byName = Dictionary(entities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { $1 })
    for group in root["Entities"]?.arrayValue ?? [] {
      let name = group.dictionaryValue?["Name"]?.stringValue ?? ""
      guard let entity = byName[name] else {
        throw StoreFileProblem("There are objects of an entity that the model does not have: \(name).")
      }
      let names = group.dictionaryValue?["Properties"]?.arrayValue ?? []
      let slots = try names.map { property in
        guard let slot = property.stringValue.flatMap(entity.layout.slot(named:)), slot.isInFiles else {
          throw StoreFileProblem("The entity \(name) has no such property: \(property.stringValue ?? "").")
        }
        return slot
      }
      for object in group.dictionaryValue?["Objects"]?.arrayValue ?? [] {
        guard let values = object.arrayValue, values.count == slots.count + 1, let number = values[0].integerValue
        else {
          throw StoreFileProblem("An object of \(name) is damaged.")
        }
        let node = try loader.add(number, entity, at: nil)
        for (slot, value) in zip(slots, values.dropFirst()) where value != Self.null {
          try Self.read(value, slot, of: node, into: &loader)
        }
      }
    }
  }

  private static func read(
    _ value: PropertyListValue, _ slot: PropertySlot, of node: NSAtomicStoreCacheNode, into loader: inout NodeLoader
  ) throws {
    if slot.kind.isRelationship {
      let identifiers = (slot.kind == .toOne ? [value] : value.arrayValue ?? [null]).map(\.integerValue)
      guard !identifiers.contains(nil) else {
        throw StoreFileProblem("The relationship \(slot.name) of the object \(node.objectID.key) is damaged.")
      }
      try loader.refer(node, slot, identifiers.compactMap(\.self), at: nil)
    } else {
      guard let stored = StoredValue(value, for: slot) else {
        throw StoreFileProblem("The attribute \(slot.name) of the object \(node.objectID.key) is damaged.")
      }
      node.setStored(stored, slot)
    }
  }
}

extension StoredValue {
  /// Returns the value for a property list: numbers, strings, dates and data in its own types, other values as text; nil if
  /// there is no value.
  fileprivate func propertyListValue(_ slot: PropertySlot) -> PropertyListValue? {
    switch self {
    case .int(let value): slot.kind == .bool ? .bool(value != 0) : .integer(value)
    case .double(let value): slot.kind == .date ? .date(value) : .real(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    default: text(for: slot).map(PropertyListValue.string)
    }
  }

  /// Reads a value of a property list; returns nil if the attribute cannot have it.
  fileprivate init?(_ value: PropertyListValue, for slot: PropertySlot) {
    switch (slot.kind, value) {
    case (.int16, .integer(let number)) where Int16(exactly: number) != nil,
      (.int32, .integer(let number)) where Int32(exactly: number) != nil, (.int64, .integer(let number)):
      self = .int(number)
    case (.bool, .bool(let flag)): self = .int(flag ? 1 : 0)
    case (.double, .real(let number)), (.date, .date(let number)): self = .double(number)
    case (.float, .real(let number)): self = .double(Double(Float(number)))
    case (.string, .string(let text)): self = .string(text)
    case (.data, .data(let data)), (.transformable, .data(let data)): self = .data(data)
    case (.decimal, .string(let text)), (.uuid, .string(let text)), (.uri, .string(let text)):
      guard let parsed = StoredValue.parse(text, for: slot) else { return nil }
      self = parsed
    default: return nil
    }
  }
}
