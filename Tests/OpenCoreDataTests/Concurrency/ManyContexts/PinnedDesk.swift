import CoreData
import Foundation

/// The context that is pinned to a query generation, and looks whether what it shows stays as it is.
extension ContextDesk {
  /// Everything that the context shows.
  private struct View: Equatable {
    var stamps: [Int: Int] = [:]
    var members: [Int: Set<Int>] = [:]
    var count = 0
  }

  private func view() throws -> View {
    var view = View()
    var byFolder: [NSManagedObjectID: Set<Int>] = [:]
    for item in try context.all("Item") where isUsable(item) {
      guard let number = item.itemNumber else { continue }
      view.stamps[number] = item.itemStamp
      if let folder = item.folder { byFolder[folder.objectID, default: []].insert(number) }
    }
    for folder in try context.all("Folder") where isUsable(folder) {
      guard let number = folder.itemNumber else { continue }
      view.stamps[number] = folder.itemStamp
      let members = Set(folder.items.compactMap(\.itemNumber))
      view.members[number] = members
      // Both ends are of one state of the store.
      let others = byFolder.removeValue(forKey: folder.objectID) ?? []
      world.expect(others == members, "\(name): folder \(number) has \(members), and \(others) are in it")
    }
    for (folder, items) in byFolder {
      world.report("\(name): items \(items) are in \(folder), which is not there")
    }
    view.count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Item"))
    let items = view.stamps.count - view.members.count
    world.expect(view.count == items, "\(name): \(view.count) items are counted, and \(items) found")
    return view
  }

  /// Pins the context to the latest state, looks at it several times while others save, and moves on.
  func lookAtGeneration() throws {
    let first = try context.performAndWait {
      note("pinning")
      try context.setQueryGenerationFrom(.current)
      context.refreshAllObjects()
      return try view()
    }
    for _ in 0..<2 {
      let isAgain = context.performAndWait { chance(70) }
      if !isAgain { break }
      try context.performAndWait {
        note("looking at the generation again")
        if chance(80) { context.refreshAllObjects() }
        let now = try view()
        world.expect(now == first, "\(name): the generation has changed from \(first) to \(now)")
        world.count("looks at a generation")
      }
    }
    try context.performAndWait {
      // A save moves the context on.
      if chance(50) {
        try context.setQueryGenerationFrom(nil)
        refreshAll()
      }
      try work()
      try save()
    }
  }
}
