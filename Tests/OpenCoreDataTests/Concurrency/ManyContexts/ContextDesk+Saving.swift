import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

// Saving, and telling the model what was saved.
extension ContextDesk {
  /// A change that a save at the top is about to write.
  private struct Replacement {
    let object: NSManagedObject
    let item: SavedItem
  }

  /// Saves; what is in conflict is given up, or tried again.
  /// - Parameter isOnTheSide: whether another thread may be in the middle of something here, which must find its objects.
  func save(isOnTheSide: Bool = false) throws {
    note("saving")
    if let parent { return try save(into: parent, isOnTheSide: isOnTheSide) }
    do {
      try saveToStore()
    } catch let error as NSError where error.code == NSManagedObjectMergeError {
      world.count("conflicts")
      try resolve()
    } catch let error as NSError where error.code == NSManagedObjectValidationError && refersToWhatIsGone(error) {
      // What was referred to here turned out to be deleted when it was read.
      world.count("references to what is gone")
      rollback()
    }
  }

  /// Whether a save was refused since an item's folder is deleted.
  private func refersToWhatIsGone(_ error: NSError) -> Bool {
    guard let item = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject, let folder = item.folder else {
      return false
    }
    return folder.isDeleted || folder.managedObjectContext == nil
  }

  private func saveToStore() throws {
    context.processPendingChanges()
    expectAllPending()
    let work = replacements()
    replaced = Dictionary(work.map { ($0.object.objectID, $0.item.base) }, uniquingKeysWith: { $1 })
    tellsObjects = chance(50)
    try context.save()
    world.count(work.isEmpty ? "empty saves" : "saves")
    world.expect(!context.hasChanges, "\(name) has changes after a save")
    world.saved.add(work.compactMap(written))
    pending = [:]
  }

  /// What will be written, on top of which stamps.
  private func replacements() -> [Replacement] {
    var work: [Replacement] = []
    func add(_ object: NSManagedObject, _ number: Int?, base: Int, stamp: Int, isDeletion: Bool = false) {
      guard let number, let entity = object.entity.name else {
        return world.report("\(name): \(object) has no number before a save")
      }
      let setsFolder = !isDeletion && object.setsFolder
      let item = SavedItem(
        entity: entity, number: number, key: base == 0 ? nil : object.rowKey, base: base, stamp: stamp,
        by: name, setsFolder: setsFolder, isDeletion: isDeletion)
      work.append(Replacement(object: object, item: item))
    }
    for object in context.insertedObjects { add(object, object.itemNumber, base: 0, stamp: object.itemStamp ?? 0) }
    for object in context.updatedObjects {
      let base = object.committed("stamp") ?? 0, stamp = object.itemStamp ?? 0
      // Else only the other end of a relationship has changed.
      if base != stamp { add(object, object.itemNumber, base: base, stamp: stamp) }
    }
    // What others have deleted, and was merged, is not written again.
    for object in context.deletedObjects where !object.state.contains(.inaccessible) {
      guard let base = object.committed("stamp") else { continue }
      if object.state.contains(.inaccessible) { continue }
      add(object, object.committed("number"), base: base, stamp: 0, isDeletion: true)
    }
    return work
  }

  /// What was written; nil for what the merge policy has given up.
  private func written(_ change: Replacement) -> SavedItem? {
    var item = change.item
    let object = change.object
    if item.isDeletion { return item }
    guard object.managedObjectContext === context, !object.isDeleted, object.itemStamp == item.stamp else {
      world.expect(givesUpConflicts, "\(name): \(item) was saved, and the object shows something else: \(object)")
      world.count("given up by the policy")
      return nil
    }
    if item.entity == "Item" { item.folder = object.folder?.rowKey }
    return SavedItem(
      entity: item.entity, number: item.number, key: object.rowKey, base: item.base, stamp: item.stamp,
      by: name, folder: item.folder, setsFolder: item.setsFolder)
  }

  /// What was changed here must be what is saved.
  private func expectAllPending() {
    for (number, change) in pending {
      let object = change.object
      let isGone = object.isDeleted || object.managedObjectContext == nil
      if isGone || change.isDeleted {
        world.expect(isGone, "\(name): item \(number) is back: \(change)")
        // In nested contexts it may also be one that was not saved, and so has nobody to delete it.
        if !change.isDeleted, parent == nil, !hasChildren { world.saved.noteLost(number) }
        continue
      }
      let stamp = object.itemStamp ?? 0
      if stamp != change.stamp, isChilds(stamp) { continue }
      world.expect(
        stamp == change.stamp && object.hasChanges,
        "\(name): item \(number) shows \(stamp), not \(change.stamp), which was set here: \(object)")
      // What a merge has found in the row as it was set here is no change any more, and gives way to the next one.
      if let folder = change.folder, object.folder !== folder, object.setsFolder {
        let isGone = folder.map { $0.isDeleted || $0.managedObjectContext == nil } ?? false
        world.expect(
          isGone, "\(name): item \(number) is not in the folder that it was put in: \(object), \(folder as Any)")
      }
    }
  }

  /// Gives the changes up, or brings them up to date and tries once more.
  private func resolve() throws {
    if chance(40) {
      note("trying again")
      for object in context.updatedObjects.union(context.deletedObjects) { context.refresh(object, mergeChanges: true) }
      for (number, change) in pending { expectKept(change, number) }
      do {
        try saveToStore()
        return world.count("conflicts settled")
      } catch let error as NSError where error.code == NSManagedObjectMergeError {}
    }
    if chance(30) { return reset() }
    rollback()
    refreshAll()
  }

  // MARK: One level up

  private func save(into parent: ContextDesk, isOnTheSide: Bool) throws {
    context.processPendingChanges()
    expectAllPending()
    // What is above as it was set here is no change any more, and not handed up.
    for (number, change) in pending where change.folder != nil && !change.object.setsFolder {
      pending[number]?.folder = nil
    }
    do {
      if chance(50) {
        // Nobody comes between, so that the parent must show what was saved.
        try parent.context.performAndWait {
          try context.save()
          parent.take(pending, from: self)
        }
      } else {
        try context.save()
      }
      world.count("saves of children")
    } catch let error as NSError
      where [NSManagedObjectReferentialIntegrityError, NSManagedObjectValidationError].contains(error.code)
    {
      // The parent has deleted what was changed or referred to here.
      world.count("refused by the parent")
      if isOnTheSide { return }
      if chance(50) { return reset() }
      rollback()
      refreshAll()
    }
    // In the middle of a save others may have worked here.
    pending = pending.filter(\.value.object.hasChanges)
  }

  /// Takes over what a child has saved. Called inside of both.
  private func take(_ changes: [Int: PendingItem], from child: ContextDesk) {
    for (number, change) in changes {
      let there = context.registeredObject(for: change.object.objectID)
      if change.isDeleted {
        // Where others have deleted its row already, there is nothing to delete.
        guard let there, there.isDeleted || (try? FaultReader(of: context).rowNow(there)) != nil else { continue }
        world.expect(there.isDeleted, "\(name): item \(number) is not deleted, as \(child.name) has it")
        pending[number] = PendingItem(object: there, isDeleted: true)
      } else if !change.object.isDeleted, change.object.managedObjectContext != nil {
        guard let there, there.itemStamp == change.stamp, there.hasChanges else {
          world.report(
            "\(name): item \(number) is not as \(child.name) has saved it: \(there?.itemStamp ?? 0), \(change)")
          continue
        }
        if let folder = change.folder, let folder {
          let isThere =
            there.folder?.objectID == folder.objectID || folder.isDeleted || folder.managedObjectContext == nil
          world.expect(isThere, "\(name): item \(number) is not in the folder that \(child.name) has put it in")
        }
        pending[number] = PendingItem(
          object: there, stamp: change.stamp, folder: there.setsFolder ? .some(there.folder) : nil)
      }
    }
  }
}
