import Foundation
import OpenCocoaFoundation

// Rows made from the nodes of atomic and incremental stores.
extension NSPersistentStore {
  /// Makes a row from the values that `value` returns: for an attribute the value that a managed object would have, for a
  /// to-one relationship an object ID; nil or NSNull for no value.
  package final func makeRow(
    _ key: Int64, layout: EntityLayout, version: Int64, commit: UInt64, scratch: inout SnapshotScratch,
    value: (PropertySlot) throws -> Any?
  ) throws -> Snapshot {
    scratch.begin(slots: layout.slotCount)
    for slot in layout.slots where slot.kind != .toMany && slot.kind != .composite && !slot.isTransient {
      if slot.kind == .toOne {
        guard let value = StoredValue.unwrapped(try value(slot)) else { continue }
        let destination = try destination(value, slot)
        scratch.set(slot.index, int: destination.key)
        if slot.entityIndex >= 0 { scratch.set(slot.entityIndex, int: Int64(number(of: destination.entity))) }
      } else {
        scratch.set(try layout.storedValue(of: slot, value), for: slot)
      }
    }
    return Snapshot.make(primaryKey: key, version: version, layout: layout, commit: commit, scratch: scratch)
  }

  /// Makes the key array of a relationship from the object IDs of its members.
  package final func makeKeys(_ members: [NSManagedObjectID], _ slot: PropertySlot, commit: UInt64) -> KeyArray {
    let hasEntities = slot.destination?.subentities.isEmpty == false
    var known: Set<NSManagedObjectID> = []
    var distinct = members.filter { known.insert($0).inserted }
    if !slot.isOrdered { distinct.sort { $0.key < $1.key } }
    return KeyArray(
      ContiguousArray(distinct.map(\.key)), isOrdered: slot.isOrdered,
      entities: hasEntities ? ContiguousArray(distinct.map { Int32(number(of: $0.entity)) }) : [], commit: commit)
  }

  private final func destination(_ value: Any, _ slot: PropertySlot) throws -> NSManagedObjectID {
    switch value {
    case let identifier as NSManagedObjectID: return identifier
    case let node as NSAtomicStoreCacheNode: return node.objectID
    default:
      throw NSError(
        coreData: NSCoreDataError,
        "The store at \(place) gives \(ValueText.of(value)) for the relationship \"\(slot.name)\" of "
          + "\(slot.property.owner?.name ?? ""); an NSManagedObjectID is expected.")
    }
  }

  /// Makes the error of a save for an object that another context has changed or deleted since the object was read.
  package final func conflict(_ object: NSManagedObject) -> SaveConflict {
    SaveConflict(
      reason: NSError(
        coreData: NSManagedObjectMergeError, "Could not merge changes.", [NSAffectedObjectsErrorKey: [object]]))
  }

  /// - Throws: 134100 if the metadata have other version hashes than the model's entities.
  package final func checkVersion() throws {
    guard let stored = metadata[NSStoreModelVersionHashesKey] as? [String: Data] else { return }
    let configuration = isDefaultConfiguration ? nil : configurationName
    let held = model.entities(forConfigurationName: configuration, heldByStoreWith: metadata) ?? []
    let wanted = StoreMetadata.hashes(of: held)
    let differences = Set(stored.keys).union(wanted.keys).filter { stored[$0] != wanted[$0] }.sorted()
    if differences.isEmpty { return }
    throw NSError(
      coreData: NSPersistentStoreIncompatibleVersionHashError,
      "The model used to open the store at \(place) is incompatible with the one used to create it; these entities "
        + "differ: \(differences.joined(separator: ", ")).",
      [
        NSFilePathErrorKey: place, "metadata": metadata ?? [:], "entities": differences,
        "reason": "The model used to open the store is incompatible with the one used to create the store",
      ])
  }

  /// The entities of the store's configuration.
  package final var entitiesHeld: [NSEntityDescription] {
    model.entities(forConfigurationName: isDefaultConfiguration ? nil : configurationName) ?? []
  }
}

extension EntityLayout {
  /// Makes a row's value of an attribute from the value that `value` returns for the attribute, or for the composite
  /// attribute that it is an element of.
  /// - Throws: the error of the attribute's transformer.
  package func storedValue(of slot: PropertySlot, _ value: (PropertySlot) throws -> Any?) throws -> StoredValue {
    let given = try slot.isElement ? element(slot, value) : value(slot)
    guard let value = StoredValue.unwrapped(given) else { return .null }
    guard slot.kind == .transformable else { return StoredValue.make(value, for: slot, entity: name) }
    // A transformed value may have its bytes already, even bytes that cannot be decoded.
    return .data(try (value as? TransformedValue)?.bytes ?? slot.attribute.transformedBytes(of: value))
  }

  /// Returns the value of an element from the dictionary of its composite attribute.
  private func element(_ slot: PropertySlot, _ value: (PropertySlot) throws -> Any?) rethrows -> Any? {
    let names = slot.name.keysOfPath
    guard let composite = self.slot(named: names[0]) else { return nil }
    return names.dropFirst().reduce(StoredValue.unwrapped(try value(composite))) { values, name in
      StoredValue.unwrapped((values as? [String: Any])?[name])
    }
  }
}

extension SaveWork {
  /// Gives the inserted objects that have temporary keys their permanent keys, in the order of `keys`.
  package func adopt(
    _ keys: ContiguousArray<Int64>, for objects: ContiguousArray<NSManagedObject>, _ store: NSPersistentStore
  ) {
    for (object, key) in zip(objects, keys) {
      if let context = object.table?.context { KeyExchange(of: context).give(key, to: object, in: store) }
    }
  }

  /// The inserted objects with temporary IDs.
  package var unnamed: ContiguousArray<NSManagedObject> { inserted.filter { $0.key < 0 } }

  /// The keys of the inserted objects; to be used after all of them have permanent keys.
  package var keys: SaveKeys {
    var keys = SaveKeys()
    keys.inserted = ContiguousArray(inserted.map(\.key))
    return keys
  }
}
