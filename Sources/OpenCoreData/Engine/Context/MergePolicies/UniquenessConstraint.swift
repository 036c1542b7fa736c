import Foundation
import OpenCocoaFoundation
import Synchronization

/// Properties whose values together must be unique among the objects of an entity and its subentities.
@_spi(Store) public struct UniquenessConstraint {
  /// The entity that declares the constraint.
  package let entity: NSEntityDescription
  package let names: [String]
  package let slots: [PropertySlot]

  /// How many times the values of an object or a row were read for a comparison, in the whole process: it measures the
  /// work in memory of resolving conflicts.
  package static let readings = Atomic<Int>(0)

  package init?(_ names: [String], of entity: NSEntityDescription) {
    let slots = names.compactMap { entity.layout.slot(named: $0) }
    // A property without a column of its own cannot be in an index.
    guard !slots.isEmpty, slots.count == names.count,
      slots.allSatisfy({ !$0.isTransient && $0.kind != .toMany && $0.kind != .composite })
    else { return nil }
    (self.entity, self.names, self.slots) = (entity, names, slots)
  }

  /// The uniqueness constraints of an entity, inherited ones included.
  package static func all(of entity: NSEntityDescription) -> [UniquenessConstraint] {
    var result: [UniquenessConstraint] = []
    var next: NSEntityDescription? = entity
    while let declaring = next {
      result = declaring.uniquenessConstraintNames.compactMap { UniquenessConstraint($0, of: declaring) } + result
      next = declaring.superentity
    }
    return result
  }

  package func isChanged(in object: NSManagedObject) -> Bool {
    slots.contains { object.changedValue($0, untracked: true) != nil }
  }

  /// The constraint's values of an object, as its row has them or will have them; nil if one of them is nil, since nil is
  /// equal to no value.
  package func values(of object: NSManagedObject) -> [UniqueValue]? { values { object.currentValue($0).written } }

  /// The constraint's values of a row.
  package func values(of row: Snapshot) -> [UniqueValue]? { values { StoredValue.read($0, from: row) } }

  /// The constraint's values of an object as they are written; they are asked for where none of them is nil.
  fileprivate func written(_ object: NSManagedObject) -> [StoredValue] {
    if slots.count == 1 { return [object.currentValue(slots[0]).written] }
    return slots.map { object.currentValue($0).written }
  }

  @inline(__always)
  private func values(_ value: (PropertySlot) -> StoredValue) -> [UniqueValue]? {
    CoreDataInstruments.add(Self.readings)
    // One value is most frequent, and its array is made without growing.
    if slots.count == 1 { return UniqueValue(value(slots[0])).map { [$0] } }
    var values: [UniqueValue] = []
    values.reserveCapacity(slots.count)
    for slot in slots {
      guard let value = UniqueValue(value(slot)) else { return nil }
      values.append(value)
    }
    return values
  }
}

/// A value as the index of a constraint compares it.
package enum UniqueValue: Hashable {
  case integer(Int64)
  case real(UInt64)
  case text(ExactText)
  case data(Data)
  /// A new object at the other end of a relationship.
  case unsaved(ObjectIdentifier)

  /// Gives nil for a nil value, and for a value that SQLite stores as NULL.
  package init?(_ value: StoredValue) {
    switch value {
    case .unset, .null, .other, .transformed: return nil
    case .int(let value): self = .integer(value)
    case .double(let value): self.init(value)
    case .decimal(let value):
      if let integer = value.exactInteger { self = .integer(integer) } else { self.init(Double("\(value)") ?? .nan) }
    case .string(let value): self = .text(ExactText(value))
    case .data(let value): self = .data(value)
    case .uuid(let value): self = .data(Data(bytesOf: value))
    case .object(let object):
      self = object.key > 0 ? .integer(object.key) : .unsaved(ObjectIdentifier(object))
    }
  }

  private init?(_ value: Double) {
    if value.isNaN { return nil }
    if let integer = Int64(exactly: value) { self = .integer(integer) } else { self = .real(value.bitPattern) }
  }

  package var isUnsaved: Bool { if case .unsaved = self { true } else { false } }
}

/// A text that equals another one if both have the same scalars, as in an index of SQLite.
package struct ExactText: Hashable {
  private let text: String

  fileprivate init(_ text: String) { self.text = text }

  package static func == (left: ExactText, right: ExactText) -> Bool { StringBytes.equal(left.text, right.text) }

  package func hash(into hasher: inout Hasher) { StringBytes.hash(text, into: &hasher) }
}

/// The objects of a save, grouped by the values that must be unique.
package struct UniquenessConstraints {
  /// The objects of one constraint, by their values, in the order in which the values were found.
  package struct Group {
    package let constraint: UniquenessConstraint
    package private(set) var values: ContiguousArray<[UniqueValue]> = []
    /// The first object with each of the values. There are seldom more.
    private var first: ContiguousArray<NSManagedObject> = []
    private var others: [Int: [NSManagedObject]] = [:]
    private var places: [[UniqueValue]: Int] = [:]

    package init(_ constraint: UniquenessConstraint) { self.constraint = constraint }

    package mutating func note(_ object: NSManagedObject) {
      guard let values = constraint.values(of: object) else { return }
      if let place = places[values] {
        others[place, default: []].append(object)
      } else {
        places[values] = first.count
        self.values.append(values)
        first.append(object)
      }
    }

    /// The objects that have the values at a place.
    package func objects(at place: Int) -> [NSManagedObject] { [first[place]] + (others[place] ?? []) }

    /// The values at a place, as a store compares them.
    package func written(at place: Int) -> [StoredValue] { constraint.written(first[place]) }
  }

  private let store: NSPersistentStore
  package private(set) var groups: ContiguousArray<Group> = []
  /// The indices of each entity's constraints in `groups`.
  private var known: [ObjectIdentifier: [Int]] = [:]
  private var places: [String: Int] = [:]

  package init(_ store: NSPersistentStore) { self.store = store }

  /// Notes an object that is new, or has a new value in a constraint.
  package mutating func note(_ object: NSManagedObject) {
    for place in places(of: object.layout.entity) {
      if object.state.contains(.inserted) || groups[place].constraint.isChanged(in: object) {
        groups[place].note(object)
      }
    }
  }

  private mutating func places(of entity: NSEntityDescription) -> [Int] {
    if let known = known[ObjectIdentifier(entity)] { return known }
    var result: [Int] = []
    for constraint in UniquenessConstraint.all(of: entity) where store.holds(constraint.entity) {
      let name = "\(constraint.entity.name ?? "").\(constraint.names.joined(separator: ","))"
      if places[name] == nil {
        places[name] = groups.count
        groups.append(Group(constraint))
      }
      if let place = places[name], !result.contains(place) { result.append(place) }
    }
    known[ObjectIdentifier(entity)] = result
    return result
  }
}
