import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

// What one context saves, the others are told.
extension ContextDesk {
  /// Hands every save to `merger`, and its URIs to contexts of the other coordinator.
  func tell(_ merger: ContextDesk?) -> [any NSObjectProtocol] {
    let isForeign = merger == nil
    let names = [Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs]
    return names.map { name in
      let isOfObjects = name == .NSManagedObjectContextDidSave
      return NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
        [unowned self] notice in
        // It is posted inside of the context that saves.
        if !isOfObjects {
          let uris = SavedURIs(notice)
          if isForeign { world.ofSecond.add(uris) } else { world.ofFirst.add(uris) }
        }
        guard let merger, merger !== self, isOfObjects == tellsObjects else { return }
        // A merge policy may have given up some of what was to be saved: of that the notice says nothing.
        let told = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].reduce(into: Set<NSManagedObject>())
        {
          $0.formUnion(notice.userInfo?[$1] as? Set<NSManagedObject> ?? [])
        }
        let replaced = replaced.filter { id, base in
          context.registeredObject(for: id).map { told.contains($0) && $0.itemStamp != base } ?? true
        }
        merger.context.perform { merger.merge(notice, replaced) }
      }
    }
  }

  /// Merges what another context of the same coordinator has saved. Called inside of this one.
  private func merge(_ notice: Notification, _ replaced: [NSManagedObjectID: Int]) {
    note("merging a notification")
    context.mergeChanges(fromContextDidSave: notice)
    world.count("merges")
    for (id, base) in replaced {
      guard let object = context.registeredObject(for: id), !object.isFault, !object.isDeleted else { continue }
      // Others may have deleted it since, which is merged later.
      guard (try? FaultReader(of: context).rowNow(object)) != nil else { continue }
      world.expect(
        object.committed("stamp") != base, "\(name): \(id) still has stamp \(base) after the merge of what replaced it")
    }
    for (number, change) in pending { expectKept(change, number) }
  }

  /// Merges some of what the contexts of the other coordinator have saved. Called outside of every context.
  func merge(_ saves: [SavedURIs], into desks: [ContextDesk]) {
    for uris in saves {
      note("merging URIs")
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: uris.changes, into: desks.map(\.context))
      world.count("merges of URIs")
    }
  }

  // MARK: At the end

  /// What the context shows of objects that it has, without having been told to look again: merging alone must have kept
  /// them up to date. Called inside of the context.
  func expectUpToDate(_ items: [Int: SavedItem]) {
    var checked = 0
    for object in context.registeredObjects where !object.isFault && !object.isDeleted {
      guard let number = object.itemNumber else {
        world.report("\(name): an object without number: \(object)")
        continue
      }
      guard let item = items[number] else {
        world.report("\(name): item \(number) is there, and was deleted: \(world.saved.history(number)) \(object)")
        continue
      }
      world.expect(
        object.itemStamp == item.stamp,
        "\(name): item \(number) shows stamp \(object.itemStamp ?? 0), and \(item) was saved and merged")
      if item.entity == "Item" {
        let folder = object.folder?.rowKey
        world.expect(
          folder == item.folder, "\(name): item \(number) shows folder \(folder ?? 0), and \(item) was saved and merged"
        )
      }
      checked += 1
    }
    world.count("objects kept up to date", checked)
  }

  /// What the context shows after it was told to look again. Called inside of the context.
  func expectSame(as items: [Int: SavedItem]) throws {
    context.refreshAllObjects()
    var numbers: Set<Int> = []
    for entity in ["Item", "Folder"] {
      for object in try context.all(entity) where isUsable(object) {
        guard let number = object.itemNumber, let item = items[number] else {
          world.report("\(name) shows \(object), which was deleted")
          continue
        }
        numbers.insert(number)
        world.expect(
          object.itemStamp == item.stamp && object.rowKey == item.key, "\(name) shows \(object), and \(item) was saved")
        if entity == "Item" {
          world.expect(object.folder?.rowKey == item.folder, "\(name) shows \(object), and \(item) was saved")
        } else {
          let members = Set(object.items.compactMap(\.itemNumber))
          let expected = Set(items.values.lazy.filter { $0.folder == item.key }.map(\.number))
          world.expect(members == expected, "\(name): folder \(number) has \(members), not \(expected)")
        }
      }
    }
    world.expect(numbers.count == items.count, "\(name) does not show \(items.keys.filter { !numbers.contains($0) })")
  }
}
