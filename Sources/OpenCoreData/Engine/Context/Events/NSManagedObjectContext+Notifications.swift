import Foundation
import OpenCocoaFoundation

// The notifications of a context. They are posted on the thread that does the work.
extension NSManagedObjectContext {
  final func post(_ name: Notification.Name, _ userInfo: [AnyHashable: Any]?) {
    holdingEvent { NotificationCenter.default.post(name: name, object: self, userInfo: userInfo) }
  }

  final func postObjectsDidChange(_ changes: ContextChanges) {
    tellListeners { $0.contextDidChange(changes) }
    var info: [AnyHashable: Any] = [:]
    if !changes.inserted.isEmpty { info[NSInsertedObjectsKey] = changes.inserted }
    if !changes.updated.isEmpty { info[NSUpdatedObjectsKey] = changes.updated }
    if !changes.deleted.isEmpty { info[NSDeletedObjectsKey] = changes.deleted }
    if !changes.refreshed.isEmpty { info[NSRefreshedObjectsKey] = changes.refreshed }
    if !info.isEmpty { post(.NSManagedObjectContextObjectsDidChange, info) }
  }

  /// Tells what a save has written: the objects, then their IDs.
  final func postDidSave(_ saved: SavedObjects) {
    if !listeners.isEmpty {
      let derived = event.takeTouched()
      tellListeners { $0.contextDidSave(saved, derived: derived) }
    }
    var objects = SavedObjects.noObjects
    var identifiers = SavedObjects.noIdentifiers
    func tell(_ set: Set<NSManagedObject>, _ key: SavedObjects.Key) {
      if set.isEmpty { return }
      objects.values[key.ofObjects] = set
      identifiers.values[key.ofIdentifiers] = SavedObjects.identifiers(set)
    }
    tell(saved.inserted, .inserted)
    tell(saved.updated, .updated)
    tell(saved.deleted, .deleted)
    if let token = queryGenerationToken { objects[NSManagedObjectContextQueryGenerationKey] = token }
    if !savedTransactions.isEmpty {
      objects[NSManagedObjectContextNewChangeTokenKey] = NSPersistentHistoryToken(savedTransactions)
      savedTransactions = [:]
    }
    post(.NSManagedObjectContextDidSave, objects)
    post(.NSManagedObjectContextDidSaveObjectIDs, identifiers)
  }
}

/// The objects of one save by what was done with them.
struct SavedObjects {
  var inserted: Set<NSManagedObject> = []
  var updated: Set<NSManagedObject> = []
  var deleted: Set<NSManagedObject> = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

  /// Sorts objects that are about to be saved.
  init(_ changed: ChangedObjects) {
    for object in changed {
      if object.state.contains(.deleted) {
        // One that never had a row, or has none any more, just leaves.
        if object.state.isDisjoint(with: [.inserted, .inaccessible]) { deleted.insert(object) }
      } else if object.state.contains(.inserted) {
        inserted.insert(object)
      } else {
        updated.insert(object)
      }
    }
  }

  /// The objects written to the stores. An object that was merged and written again may be in several works.
  /// - Parameter told: what is known to hold all inserted objects.
  init(_ written: [SaveWork] = [], told: Set<NSManagedObject>? = nil) {
    if written.count == 1, let work = written.first {
      if let told, told.count == work.inserted.count { inserted = told } else { inserted = Set(work.inserted) }
      updated = Set(work.updated)
      deleted = Set(work.deleted)
      return
    }
    for work in written {
      inserted.formUnion(work.inserted)
      updated.formUnion(work.updated)
      deleted.formUnion(work.deleted)
    }
    updated.subtract(inserted)
  }

  static func identifiers(_ objects: Set<NSManagedObject>) -> Set<NSManagedObjectID> {
    var result = Set<NSManagedObjectID>(minimumCapacity: objects.count)
    var maker = ObjectIDMaker()
    for object in objects { result.insert(maker.id(of: object)) }
    return result
  }

  // The user info of a save that has written nothing: copying it, and putting sets into their places in the copy, costs less
  // than looking up keys anew for each small save. The sets in it are empty and no object is shared.
  nonisolated(unsafe) fileprivate static let noObjects: [AnyHashable: Any] = [
    NSInsertedObjectsKey: Set<NSManagedObject>(), NSUpdatedObjectsKey: Set<NSManagedObject>(),
    NSDeletedObjectsKey: Set<NSManagedObject>(),
  ]
  nonisolated(unsafe) fileprivate static let noIdentifiers: [AnyHashable: Any] = [
    NSInsertedObjectIDsKey: Set<NSManagedObjectID>(), NSUpdatedObjectIDsKey: Set<NSManagedObjectID>(),
    NSDeletedObjectIDsKey: Set<NSManagedObjectID>(),
  ]

  /// Where the sets of one kind are in the two.
  fileprivate struct Key {
    let ofObjects: Dictionary<AnyHashable, Any>.Index
    let ofIdentifiers: Dictionary<AnyHashable, Any>.Index

    private init(_ objects: String, _ identifiers: String) {
      guard let ofObjects = noObjects.index(forKey: objects),
        let ofIdentifiers = noIdentifiers.index(forKey: identifiers)
      else { preconditionFailure("\(objects) and \(identifiers) are in the two") }
      self.ofObjects = ofObjects
      self.ofIdentifiers = ofIdentifiers
    }

    nonisolated(unsafe) static let inserted = Key(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
    nonisolated(unsafe) static let updated = Key(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
    nonisolated(unsafe) static let deleted = Key(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
  }
}
