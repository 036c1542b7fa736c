import Foundation
import OpenCocoaFoundation

/// The shape of an entity's objects: which property lives in which slot. Computed once, when the model is first used.
///
/// A superentity's slots are a prefix of its subentities', so that code that knows the parent reads a child's snapshot.
/// The model owns its entities and they own their layouts; whoever holds a layout holds the model too.
final class EntityLayout: @unchecked Sendable {  // immutable after init
  unowned(unsafe) let entity: NSEntityDescription
  /// The entity again, to be handed on without counting references twice.
  let entityReference: Unmanaged<NSEntityDescription>
  let name: String
  let rootName: String
  /// Z_ENT, and the root entity's.
  let number: Int
  let rootNumber: Int
  let isAbstract: Bool
  let hasSubentities: Bool
  let objectClass: NSManagedObject.Type
  let overridesValidateValue: Bool
  /// Whether the class has one that takes a pointer.
  let overridesValidatePointer: Bool
  let slots: ContiguousArray<PropertySlot>
  /// Persistent attributes and to-ones: the words of a snapshot.
  let slotCount: Int
  /// `slotCount` and the transient attributes behind them: the length of an object's changed values.
  let valueCount: Int
  let toManyCount: Int
  let relationCount: Int
  /// The ordered to-many relationships.
  let orderedSlots: ContiguousArray<PropertySlot>
  /// The to-one relationships whose other end is an ordered to-many.
  let placedSlots: ContiguousArray<PropertySlot>
  /// What a new object starts with.
  let defaults: ContiguousArray<StoredValue>
  private let ordinals: SlotNames
  private let byKey: UnsafeMutablePointer<SlotAddress>
  private let byKeyCount: Int

  init(_ entity: NSEntityDescription, parent: EntityLayout?) {
    self.entity = entity
    entityReference = Unmanaged.passUnretained(entity)
    name = entity.name ?? ""
    rootName = parent?.rootName ?? name
    number = entity.storeNumber
    rootNumber = parent?.rootNumber ?? number
    isAbstract = entity.isAbstract
    hasSubentities = !entity.subentities.isEmpty
    objectClass = ManagedClassRegistry.objectClass(for: entity)
    overridesValidateValue = ManagedInstance.overridesValidateValue(objectClass)
    overridesValidatePointer = ManagedInstance.overridesValidatePointer(objectClass)
    let arranged = EntityLayout.arrange(entity, parent: parent)
    slots = arranged.slots
    slotCount = arranged.slotCount
    valueCount = arranged.valueCount
    toManyCount = arranged.toManyCount
    relationCount = slots.reduce(0) { $0 + ($1.kind.isRelationship ? 1 : 0) }
    orderedSlots = slots.filter(\.isOrdered)
    placedSlots = slots.filter {
      $0.kind == .toOne && !$0.isTransient && $0.inverseIsToMany
        && $0.relationship.inverseRelationship?.isOrdered == true
    }
    ordinals = SlotNames(slots.map(\.name))
    var defaults = ContiguousArray(repeating: StoredValue.null, count: valueCount)
    for slot in slots where !slot.kind.isRelationship && slot.kind != .unsupported {
      if let value = slot.attribute.defaultValue {
        defaults[slot.index] = StoredValue.make(value, for: slot, entity: entity.name ?? "")
      }
    }
    self.defaults = defaults
    byKeyCount = (slots.map(\.key.id).max() ?? -1) + 1
    byKey = .allocate(capacity: max(byKeyCount, 1))
    byKey.initialize(repeating: SlotAddress.none, count: max(byKeyCount, 1))
    for (ordinal, slot) in slots.enumerated() {
      // Transient values are not in snapshots: accessors take the way through the slot.
      byKey[slot.key.id] = SlotAddress(
        kind: slot.isTransient && !slot.kind.isRelationship ? .anything : slot.kind, ordinal: Int16(ordinal),
        index: Int32(slot.index))
    }
  }

  deinit { byKey.deallocate() }

  /// The property of that key, or nil where the entity has none.
  @inline(__always)
  func slot(_ key: PropertyKey) -> PropertySlot? {
    let ordinal = Int(address(key).ordinal)
    return ordinal < 0 ? nil : slots[ordinal]
  }

  /// Kind and place of that key's property; kind unsupported and ordinal -1 where the entity has none.
  @inline(__always)
  func address(_ key: PropertyKey) -> SlotAddress { key.id < byKeyCount ? byKey[key.id] : SlotAddress.none }

  /// The property of that name, or nil.
  func slot(named name: String) -> PropertySlot? { ordinals[name].map { slots[$0] } }

  func isKind(of other: EntityLayout) -> Bool { self === other || entity.isKindOf(entity: other.entity) }
}

extension EntityLayout {
  private typealias Arrangement = (
    slots: ContiguousArray<PropertySlot>, slotCount: Int, valueCount: Int, toManyCount: Int
  )

  /// Persistent values first, the parent's in the parent's places; transient ones behind; to-manys numbered apart.
  private static func arrange(_ entity: NSEntityDescription, parent: EntityLayout?) -> Arrangement {
    // A subentity's own declaration takes the place of an inherited one of its kind.
    let own = entity.declaredProperties.filter { $0 is NSAttributeDescription || $0 is NSRelationshipDescription }
    let overriding = Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    var inherited: Set<String> = []
    var persistent: [(NSPropertyDescription, Int, Int?)] = []
    var transient: [NSPropertyDescription] = []
    var toMany: [NSPropertyDescription] = []
    var next = parent?.slotCount ?? 0
    for slot in parent?.slots ?? [] {
      inherited.insert(slot.name)
      let property = overriding[slot.name].flatMap { slot.canBecome($0) ? $0 : nil } ?? slot.property
      if slot.kind == .toMany {
        toMany.append(property)
      } else if slot.isTransient {
        transient.append(property)
      } else {
        persistent.append((property, slot.index, slot.entityIndex))
      }
    }
    for property in own.sorted(by: { $0.name < $1.name }) where !inherited.contains(property.name) {
      if let relationship = property as? NSRelationshipDescription, relationship.isToMany {
        toMany.append(property)
      } else if property.isTransient {
        transient.append(property)
      } else {
        persistent.append((property, next, nil))
        next += needsEntitySlot(property) ? 2 : 1
      }
    }
    var slots: ContiguousArray<PropertySlot> = []
    var relations = 0
    func add(_ property: NSPropertyDescription, index: Int, entityIndex: Int? = nil) {
      let isRelationship = property is NSRelationshipDescription
      slots.append(
        makeSlot(
          property, index: index, entityIndex: entityIndex, relation: isRelationship ? relations : -1,
          transient: property.isTransient))
      if isRelationship { relations += 1 }
    }
    for (property, index, entityIndex) in persistent { add(property, index: index, entityIndex: entityIndex) }
    for (offset, property) in transient.enumerated() { add(property, index: next + offset) }
    for (index, property) in toMany.enumerated() { add(property, index: index) }
    return (slots, next, next + transient.count, toMany.count)
  }

  private static func needsEntitySlot(_ property: NSPropertyDescription) -> Bool {
    guard let destination = (property as? NSRelationshipDescription)?.destinationEntity else { return false }
    return !destination.subentities.isEmpty
  }

  private static func makeSlot(
    _ property: NSPropertyDescription, index: Int, entityIndex: Int?, relation: Int, transient: Bool
  ) -> PropertySlot {
    let relationship = property as? NSRelationshipDescription
    let kind: ValueKind =
      if let relationship {
        relationship.isToMany ? .toMany : .toOne
      } else {
        (property as? NSAttributeDescription).map { ValueKind($0.attributeType, isTransient: transient) }
          ?? .unsupported
      }
    return PropertySlot(
      name: property.name, key: PropertyKey(property.name), kind: kind, index: index,
      entityIndex: entityIndex ?? (kind == .toOne && !transient && needsEntitySlot(property) ? index + 1 : -1),
      isTransient: transient,
      isOptional: property.isOptional, property: property, destination: relationship?.destinationEntity,
      inverse: relationship?.inverseRelationship.map { PropertyKey($0.name) },
      inverseIsToMany: relationship?.inverseRelationship?.isToMany ?? false,
      isOrdered: kind == .toMany && relationship?.isOrdered == true,
      declaringNumber: Int32(truncatingIfNeeded: property.owner?.storeNumber ?? 0),
      relationIndex: relation)
  }
}

extension PropertySlot {
  /// Whether a subentity's declaration can take this slot: one of the same kind.
  fileprivate func canBecome(_ property: NSPropertyDescription) -> Bool {
    if property.isTransient != isTransient { return false }
    if let relationship = property as? NSRelationshipDescription {
      return kind == (relationship.isToMany ? .toMany : .toOne)
    }
    guard !kind.isRelationship, let attribute = property as? NSAttributeDescription else { return false }
    return ValueKind(attribute.attributeType, isTransient: isTransient) == kind
  }
}

extension NSManagedObjectModel {
  /// Freezes the model and computes the layouts of its entities; does nothing the second time.
  final func prepare() {
    freeze()
    lock.lock()
    defer { lock.unlock() }
    for entity in storedStoreOrder ?? [] where entity.layoutStorage == nil {
      // Superentities come first in the store's order, so that the parent's layout is there.
      let parent = entity.superentity?.layoutStorage.map { unsafeDowncast($0, to: EntityLayout.self) }
      entity.layoutStorage = EntityLayout(entity, parent: parent)
    }
  }
}

extension NSEntityDescription {
  /// The shape of this entity's objects; prepares the model when it is the first use of it.
  final var layout: EntityLayout {
    if let layoutStorage { return unsafeDowncast(layoutStorage, to: EntityLayout.self) }
    managedObjectModel.prepare()
    guard let layoutStorage else {
      raise(.internalInconsistency, "The entity '\(name ?? "")' is not among its model's entities.")
    }
    return unsafeDowncast(layoutStorage, to: EntityLayout.self)
  }
}
