import Foundation
import OpenCocoaFoundation

/// The shape of an entity's objects: which property lives in which slot. Computed once, when the model is first used.
///
/// A superentity's slots are a prefix of its subentities', so that code that knows the parent reads a child's snapshot.
/// The model owns its entities and they own their layouts; code that keeps a layout must keep the model, too.
@_spi(Store) public final class EntityLayout: @unchecked Sendable {  // immutable after init
  /// The entity that the layout belongs to. Unowned, since the entity owns the layout.
  public unowned(unsafe) let entity: NSEntityDescription
  /// The name of the entity.
  public let name: String
  /// A number that no other layout of the process has or had.
  package let shapeNumber: Int64 = EntityLayout.shapeNumbers.increment()
  private static let shapeNumbers = AtomicCounter()
  package let rootName: String
  package let rootHash: Int
  /// Z_ENT of the entity; `rootNumber` is that of the root entity.
  package let number: Int
  package let rootNumber: Int
  package let isAbstract: Bool
  package let hasSubentities: Bool
  package let objectClass: NSManagedObject.Type
  package let overridesValidateValue: Bool
  /// Whether the class overrides the `validateValue(_:forKey:)` that takes a pointer.
  package let overridesValidatePointer: Bool
  /// Whether the class overrides `didSave()`.
  let overridesDidSave: Bool
  /// Whether the class overrides `value(forKey:)`.
  package let overridesValueForKey: Bool
  /// The checks of the class's `validate<Key>` methods, by the property's name.
  package let validators: [String: _ManagedValidator.Check]
  /// The other members of the class that generated code lists.
  package let listed: ListedMembers
  /// The properties of the entity, those of superentities first.
  public let slots: ContiguousArray<PropertySlot>
  /// The transformable attributes among the slots.
  package let transformables: ContiguousArray<PropertySlot>
  /// The attributes that are not transient and still in no row, since they have no type.
  package let typeless: ContiguousArray<PropertySlot>
  /// Whether the entity has neither transformable nor typeless attributes.
  package let keepsPlainRows: Bool
  /// The slots that the model alone may find invalid.
  package let ruledPlaces: ContiguousArray<RuledPlace>
  /// The indexes, in rows, of the values that a save writes as they are, without converting them.
  package let plainIndexes: ContiguousArray<Int>
  /// The places of the slots that are in rows and not in `plainIndexes`.
  package let otherPlaces: ContiguousArray<Int>
  /// The indexes, in rows, of the values of `otherPlaces`.
  package let otherIndexes: ContiguousArray<Int>
  /// The places of all slots that a save writes: of those in rows, all but the derived attributes.
  package let writtenPlaces: ContiguousArray<Int>
  /// The indexes, in rows, of the values of `writtenPlaces`.
  package let writtenIndexes: ContiguousArray<Int>
  /// The indexes, in rows, of the keys of to-one relationships.
  package let toOneIndexes: ContiguousArray<Int>
  /// The places of the relationships that are not transient.
  package let relationshipPlaces: ContiguousArray<Int>
  /// Persistent attributes and to-ones: the words of a snapshot.
  package let slotCount: Int
  /// `slotCount` plus the number of attributes that rows leave out, which come last: the length of an object's changed
  /// values.
  package let valueCount: Int
  package let toManyCount: Int
  package let relationCount: Int
  /// The ordered to-many relationships.
  package let orderedSlots: ContiguousArray<PropertySlot>
  /// The to-one relationships whose other end is an ordered to-many.
  package let placedSlots: ContiguousArray<PropertySlot>
  /// The values of a new object.
  package let defaults: ContiguousArray<StoredValue>
  /// Whether none of the defaults holds a reference, so that they are copied as bytes.
  package let hasPlainDefaults: Bool
  private let ordinals: SlotNames
  private let byKey: UnsafeMutablePointer<SlotAddress>
  private let byKeyCount: Int

  package init(_ entity: NSEntityDescription, parent: EntityLayout?) {
    self.entity = entity
    name = entity.name ?? ""
    rootName = parent?.rootName ?? name
    rootHash = rootName.hashValue
    number = entity.storeNumber
    rootNumber = parent?.rootNumber ?? number
    isAbstract = entity.isAbstract
    hasSubentities = !entity.subentities.isEmpty
    objectClass = ManagedClassRegistry.objectClass(for: entity)
    if let words = ClassLayoutCheck.disagreement(of: objectClass, upTo: NSManagedObject.self) {
      raise(.internalInconsistency, words)
    }
    overridesValidateValue = ManagedInstance.overridesValidateValue(objectClass)
    overridesValidatePointer = ManagedInstance.overridesValidatePointer(objectClass)
    overridesDidSave = ManagedInstance.overridesDidSave(objectClass)
    overridesValueForKey = ManagedInstance.overridesValueForKey(objectClass)
    let arranged = EntityLayout.arrange(entity, parent: parent)
    slots = arranged.slots
    validators = ManagedClassRegistry.validators(of: objectClass, for: slots)
    listed = ListedMembers(objectClass, slots, entity)
    slotCount = arranged.slotCount
    // The ordinals of slots have 16 bits, and so has the number of a row's values, of which a relationship has two.
    if slots.count > ModelLimits.properties {
      raise(.invalidArgument, ModelLimits.reason(against: name, slots.count))
    }
    valueCount = arranged.valueCount
    toManyCount = arranged.toManyCount
    orderedSlots = slots.filter(\.isOrdered)
    placedSlots = slots.filter {
      $0.kind == .toOne && !$0.isTransient && $0.relationship.orderedList != nil
    }
    relationCount = slots.reduce(0) { $0 + ($1.kind.hasState ? 1 : 0) }
    transformables = slots.filter { $0.kind == .transformable }
    typeless = slots.filter { slot in
      slot.isTransient && slot.kind == .anything && !slot.property.isTransient
        && (!slot.isElement || entity.propertiesByName[String(slot.name.prefix { $0 != "." })]?.isTransient == false)
    }
    keepsPlainRows = transformables.isEmpty && typeless.isEmpty
    ruledPlaces = RuledPlace.all(in: slots)
    let rowSlots = slots.indices.filter { [slots] in
      !slots[$0].isTransient && slots[$0].kind != .toMany && slots[$0].kind != .composite
    }
    plainIndexes = ContiguousArray(rowSlots.lazy.map { [slots] in slots[$0] }.filter(\.kind.isPlain).map(\.index))
    otherPlaces = ContiguousArray(rowSlots.filter { [slots] in !slots[$0].kind.isPlain })
    otherIndexes = ContiguousArray(otherPlaces.map { [slots] in slots[$0].index })
    writtenPlaces = ContiguousArray(
      rowSlots.filter { [slots] in !(slots[$0].property is NSDerivedAttributeDescription) })
    writtenIndexes = ContiguousArray(writtenPlaces.lazy.map { [slots] in slots[$0].index })
    toOneIndexes = ContiguousArray(
      rowSlots.lazy.map { [slots] in slots[$0] }.filter { $0.kind == .toOne }.map(\.index))
    relationshipPlaces = ContiguousArray(
      slots.indices.filter { [slots] in slots[$0].kind.isRelationship && !slots[$0].isTransient })
    ordinals = SlotNames(slots.map(\.name))
    var defaults = ContiguousArray(repeating: StoredValue.null, count: valueCount)
    for slot in slots where !slot.kind.isRelationship && slot.kind != .composite {
      if let value = slot.attribute.defaultValue {
        defaults[slot.index] = StoredValue.make(value, for: slot, entity: entity.name ?? "")
      }
    }
    self.defaults = defaults
    hasPlainDefaults = defaults.allSatisfy(\.isWithoutReferences)
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
  package func slot(_ key: _PropertyKey) -> PropertySlot? {
    let ordinal = Int(address(key).ordinal)
    return ordinal < 0 ? nil : slots[ordinal]
  }

  /// Kind and place of that key's property; ordinal -1 where the entity has none.
  @inline(__always)
  package func address(_ key: _PropertyKey) -> SlotAddress { key.id < byKeyCount ? byKey[key.id] : SlotAddress.none }

  /// The property of that name, or nil.
  public func slot(named name: String) -> PropertySlot? { ordinals[name].map { slots[$0] } }

  package func isKind(of other: EntityLayout) -> Bool { self === other || entity.isKindOf(entity: other.entity) }
}

extension NSManagedObjectModel {
  /// Freezes the model and computes the layouts of its entities; does nothing the second time.
  package final func prepare() {
    if isPrepared.load(ordering: .acquiring) { return }
    _ = FetchRequestArchive.registered
    freeze()
    lock.lock()
    defer { lock.unlock() }
    for entity in storedStoreOrder ?? [] where entity.layoutStorage == nil {
      // Superentities come first in the store's order, so the parent's layout has been computed already.
      let parent = entity.superentity?.layoutStorage.map { unsafeDowncast($0, to: EntityLayout.self) }
      entity.layoutStorage = EntityLayout(entity, parent: parent)
    }
    for entity in storedStoreOrder ?? [] {
      let type = ObjectIdentifier(entity.layout.objectClass)
      if storedEntitiesByClass[type] == nil { storedEntitiesByClass[type] = entity }
    }
    isPrepared.store(true, ordering: .releasing)
  }

  /// The entity whose class is `type`: of several that inherit the class, the topmost. The model has been prepared.
  package final func entity(ofClass type: NSManagedObject.Type) -> NSEntityDescription? {
    storedEntitiesByClass[ObjectIdentifier(type)]
  }
}

extension NSEntityDescription {
  /// The shape of this entity's objects; the first use of the model prepares it.
  @inline(__always)
  package final var layout: EntityLayout { knownLayout?.counted ?? preparedLayout() }

  /// The same layout without counting references: once the layout is made, the entity keeps it as long as the entity lives.
  @inline(__always)
  package final var layoutReference: Uncounted<EntityLayout> { knownLayout ?? Uncounted(preparedLayout()) }

  private final func preparedLayout() -> EntityLayout {
    managedObjectModel.prepare()
    if let knownLayout { return knownLayout.counted }
    raise(.internalInconsistency, "The entity '\(name ?? "")' is not among its model's entities.")
  }

  @inline(__always)
  private final var knownLayout: Uncounted<EntityLayout>? {
    UnsafeRawPointer(bitPattern: layoutAddress.load(ordering: .acquiring)).map { Uncounted(Unmanaged.fromOpaque($0)) }
  }
}
