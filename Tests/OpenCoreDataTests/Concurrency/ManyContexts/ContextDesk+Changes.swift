import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

// What a driver does at random inside of a context.
extension ContextDesk {
  /// A few changes and looks.
  func work() throws {
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      switch Int.random(in: 0..<100, using: &random) {
      case ..<45: try change()
      case ..<65: try relate()
      case ..<80: try look()
      case ..<90: try refreshOne()
      default: if world.saved.population > 100 { try delete() } else { insert() }
      }
    }
    if world.saved.population < 60 { insert() }
  }

  /// Something that is right at any moment, also in the middle of what another thread does in the context.
  func workOnTheSide() throws {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: insert()
    case 1: try change()
    default: try look()
    }
  }

  func insert() {
    note("inserting")
    let object = context.insert(chance(12) ? "Folder" : "Item", ["number": world.nextNumber()])
    write(object)
    held.append(object)
    world.count("inserts")
  }

  private func change() throws {
    guard let object = try pick() else { return }
    note("changing")
    write(object)
    world.count("updates")
  }

  /// Gives the object the next stamp.
  private func write(_ object: NSManagedObject, folder: NSManagedObject?? = nil) {
    guard let number = object.itemNumber else { return world.report("\(name): no number: \(object)") }
    let stamp = world.nextStamp()
    if parent != nil { _ = world.stampsOfChildren.withLock { $0.insert(stamp) } }
    object.setValue(stamp, forKey: "stamp")
    object.setValue(ItemWorld.value(number, stamp), forKey: "value")
    object.setValue(ItemWorld.text(number, stamp), forKey: "text")
    var folder = folder
    // A child may have put it into another since.
    if folder == nil, let former = pending[number]?.folder, !hasChildren || object.folder === former { folder = former }
    // Where the item was put back into the folder that its row has, nothing was set.
    if !object.setsFolder { folder = nil }
    // Others may have saved it while this looked whether the folder is another, or given it another stamp.
    guard object.hasChanges else { return pending[number] = nil }
    if parent == nil || object.itemStamp == stamp {
      pending[number] = PendingItem(object: object, stamp: stamp, folder: folder)
    }
  }

  private func relate() throws {
    let folder = chance(80) ? try pick("Folder") : nil
    guard let item = try pick("Item"), folder.map(isUsable) != false else { return }
    note("relating")
    if let folder, chance(30) {
      folder.mutableSetValue(forKey: "items").add(item)
    } else {
      item.setValue(folder, forKey: "folder")
    }
    write(item, folder: .some(folder))
    world.expect(item.folder === folder, "\(name): \(item) is not in the folder that it was put in")
    if let folder, chance(20) {
      let items = folder.items
      // It was there before, and others knew that later than the folder was read; or, while a child waited for the items,
      // another thread has acted in it, and has given up what was set here.
      let isSet = item.setsFolder && item.folder === folder
      world.expect(items.contains(item) || !isSet, "\(name): \(folder) does not have \(item), which was put in")
    }
    world.count("relations")
  }

  private func delete() throws {
    // A deletion of which a policy gives up a part is more than the model follows.
    guard !givesUpConflicts, let object = try pick(), let number = object.itemNumber else { return }
    note("deleting")
    if parent != nil {
      // What the delete rule changes here of what it finds, changes in the parent whatever that has found since.
      for item in object.entity.name == "Folder" ? object.items : [] where isUsable(item) {
        item.setValue(nil, forKey: "folder")
        write(item, folder: .some(nil))
      }
    }
    let isNew = object.isInserted
    context.delete(object)
    pending[number] = isNew ? nil : PendingItem(object: object, isDeleted: true)
    world.count("deletes")
  }

  private func refreshOne() throws {
    guard let object = try pick(), let number = object.itemNumber else { return }
    note("refreshing one")
    let change = pending[number]
    let isPartOfMore = change?.folder != nil || object.setsFolder
    if chance(50) || isPartOfMore || object.isInserted || object.entity.name == "Folder" {
      context.refresh(object, mergeChanges: true)
      if let change { expectKept(change, number) }
    } else {
      context.refresh(object, mergeChanges: false)
      pending[number] = nil
    }
    world.count("refreshes")
  }

  /// Whatever the store has by now: what was changed here must still be there.
  func expectKept(_ change: PendingItem, _ number: Int) {
    guard !change.isDeleted, !change.object.isDeleted, change.object.managedObjectContext != nil else { return }
    // While a child waits for its parent another thread may act in it, and may have saved it.
    if parent != nil, !change.object.hasChanges { return }
    let stamp = change.object.itemStamp ?? 0
    world.expect(
      stamp == change.stamp || isChilds(stamp),
      "\(name): item \(number) shows \(stamp), not \(change.stamp), which was set here")
  }

  /// Whether the stamp was given by a child, which may save it over whatever was set here.
  func isChilds(_ stamp: Int) -> Bool { hasChildren && world.stampsOfChildren.withLock { $0.contains(stamp) } }

  // MARK: Giving up

  func rollback() {
    note("rolling back")
    context.rollback()
    pending = [:]
    world.expect(!context.hasChanges, "\(name) has changes after a rollback")
    world.count("rollbacks")
  }

  func reset() {
    note("resetting")
    context.reset()
    forget()
    world.count("resets")
  }

  func refreshAll() {
    note("refreshing all")
    context.refreshAllObjects()
    for (number, change) in pending { expectKept(change, number) }
    world.count("refreshes of all")
  }
}
