import Foundation

extension EntityLayout {
  package typealias Arrangement = (
    slots: ContiguousArray<PropertySlot>, slotCount: Int, valueCount: Int, toManyCount: Int
  )

  /// A property that gets a slot.
  private struct Entry {
    let property: NSPropertyDescription
    let name: String
    let isElement: Bool
    let isTransient: Bool
    /// The property's index in the superentity's layout; -1 for a property that needs no place or gets one later.
    var index = -1
    var entityIndex: Int?
  }

  /// Puts persistent values first, the parent's in the parent's places; behind them the values that rows leave out.
  /// To-many relationships are numbered apart. A composite attribute has no place itself; its elements have places.
  package static func arrange(_ entity: NSEntityDescription, parent: EntityLayout?) -> Arrangement {
    var persistent: [Entry] = []
    var transient: [Entry] = []
    var toMany: [Entry] = []
    var composites: [Entry] = []
    var next = parent?.slotCount ?? 0

    func add(_ entry: Entry) {
      var entry = entry
      if let relationship = entry.property as? NSRelationshipDescription, relationship.isToMany {
        toMany.append(entry)
      } else if entry.property is NSCompositeAttributeDescription {
        composites.append(entry)
      } else if entry.isTransient {
        transient.append(entry)
      } else {
        if entry.index < 0 {
          entry.index = next
          next += needsEntitySlot(entry.property) ? 2 : 1
        }
        persistent.append(entry)
      }
    }

    // A subentity's own declaration takes the slot of an inherited property of the same kind.
    let own = entity.declaredProperties.filter { $0 is NSAttributeDescription || $0 is NSRelationshipDescription }
    let overriding = Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var inherited: Set<String> = []
    for slot in parent?.slots ?? [] {
      inherited.insert(slot.name)
      let property = overriding[slot.name].flatMap { slot.canBecome($0) ? $0 : nil } ?? slot.property
      add(
        Entry(
          property: property, name: slot.name, isElement: slot.isElement, isTransient: slot.isTransient,
          index: slot.index, entityIndex: slot.entityIndex))
    }
    for property in own.sorted(by: { $0.name < $1.name }) where !inherited.contains(property.name) {
      for entry in entries(property, name: property.name, isElement: false, isTransient: property.isTransient) {
        add(entry)
      }
    }

    var slots: ContiguousArray<PropertySlot> = []
    var states = 0
    func append(_ entry: Entry, index: Int) {
      slots.append(makeSlot(entry, index: index, state: states))
      if slots[slots.count - 1].kind.hasState { states += 1 }
    }
    for entry in persistent { append(entry, index: entry.index) }
    for (offset, entry) in transient.enumerated() { append(entry, index: next + offset) }
    for (index, entry) in toMany.enumerated() { append(entry, index: index) }
    for entry in composites { append(entry, index: -1) }
    return (slots, next, next + transient.count, toMany.count)
  }

  /// The property itself, and for a composite attribute also its elements, those of nested composites included.
  private static func entries(
    _ property: NSPropertyDescription, name: String, isElement: Bool, isTransient: Bool
  ) -> [Entry] {
    let hasNoType =
      switch (property as? NSAttributeDescription)?.attributeType {
      case .undefinedAttributeType, .objectIDAttributeType: true
      case .compositeAttributeType: !(property is NSCompositeAttributeDescription)
      default: false
      }
    let own = Entry(property: property, name: name, isElement: isElement, isTransient: isTransient || hasNoType)
    guard let composite = property as? NSCompositeAttributeDescription else { return [own] }
    return [own]
      + composite.elements.flatMap {
        entries($0, name: "\(name).\($0.name)", isElement: true, isTransient: isTransient)
      }
  }

  private static func needsEntitySlot(_ property: NSPropertyDescription) -> Bool {
    guard let destination = (property as? NSRelationshipDescription)?.destinationEntity else { return false }
    return !destination.subentities.isEmpty
  }

  private static func makeSlot(_ entry: Entry, index: Int, state: Int) -> PropertySlot {
    let property = entry.property
    let relationship = property as? NSRelationshipDescription
    let kind: ValueKind =
      if let relationship {
        relationship.isToMany ? .toMany : .toOne
      } else if property is NSCompositeAttributeDescription {
        .composite
      } else {
        (property as? NSAttributeDescription).map { ValueKind($0.attributeType, isTransient: entry.isTransient) }
          ?? .anything
      }
    return PropertySlot(
      name: entry.name, key: _PropertyKey(entry.name), kind: kind, index: index,
      entityIndex: entry.entityIndex
        ?? (kind == .toOne && !entry.isTransient && needsEntitySlot(property) ? index + 1 : -1),
      isTransient: entry.isTransient, isOptional: property.isOptional, isElement: entry.isElement,
      hasRules: PropertySlot.hasRules(property, kind, isTransient: entry.isTransient, isElement: entry.isElement),
      property: property, destination: relationship?.destinationEntity,
      inverse: relationship?.otherEnd.map { _PropertyKey($0.name) },
      inverseIsToMany: relationship?.otherEnd?.isToMany ?? false, hasFurtherEnds: relationship?.ends != nil,
      isOrdered: kind == .toMany && relationship?.isOrdered == true,
      declaringNumber: Int32(truncatingIfNeeded: property.owner?.storeNumber ?? 0),
      relationIndex: kind.hasState ? state : -1)
  }

  /// The slots of a composite attribute's elements in the order of the model; an element may be a composite itself.
  package func elements(of slot: PropertySlot) -> [PropertySlot] {
    let composite = unsafeDowncast(slot.property, to: NSCompositeAttributeDescription.self)  // `kind` says so
    return composite.elements.compactMap { self.slot(named: "\(slot.name).\($0.name)") }
  }
}

extension PropertySlot {
  /// Whether a subentity's declaration can take this slot: one of the same kind.
  fileprivate func canBecome(_ property: NSPropertyDescription) -> Bool {
    if isElement || kind == .composite || property.isTransient != self.property.isTransient { return false }
    if let relationship = property as? NSRelationshipDescription {
      return kind == (relationship.isToMany ? .toMany : .toOne)
    }
    guard !kind.isRelationship, let attribute = property as? NSAttributeDescription else { return false }
    return ValueKind(attribute.attributeType, isTransient: isTransient) == kind
  }
}
