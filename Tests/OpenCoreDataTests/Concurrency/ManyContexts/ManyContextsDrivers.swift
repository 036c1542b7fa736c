import CoreData
import Foundation

@_spi(Store) @testable import OpenCoreData

/// Eight contexts on one file, and what the thread of each does.
final class ManyContexts: @unchecked Sendable {  // does not change after it is made
  let world = ItemWorld()
  let refreshing, automatic, merger, parent, firstChild, secondChild, other, pinned: ContextDesk
  private var tokens: [any NSObjectProtocol] = []

  var all: [ContextDesk] {
    [refreshing, automatic, merger, parent, firstChild, secondChild, other, pinned]
  }

  init(_ url: URL, seed: UInt64) throws {
    let coordinator = try TestModel.coordinator(ItemWorld.model(), url: url)
    let second = try TestModel.coordinator(ItemWorld.model(), url: url)
    let world = world
    var number = seed
    func desk(_ name: String, _ coordinator: NSPersistentStoreCoordinator?, in parent: ContextDesk? = nil)
      -> ContextDesk
    {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      if let parent { context.parent = parent.context } else { context.persistentStoreCoordinator = coordinator }
      number &+= 1
      return ContextDesk(name, context, world, seed: number, in: parent)
    }
    refreshing = desk("refreshing", coordinator)
    automatic = desk("automatic", coordinator)
    merger = desk("merger", coordinator)
    parent = desk("parent", coordinator)
    firstChild = desk("first child", nil, in: parent)
    secondChild = desk("second child", nil, in: parent)
    other = desk("other coordinator", second)
    pinned = desk("pinned", coordinator)
    refreshing.context.mergePolicy = NSMergePolicy.rollback
    refreshing.givesUpConflicts = true
    parent.hasChildren = true
    for desk in [automatic, parent, secondChild] { desk.context.automaticallyMergesChangesFromParent = true }
    for desk in [refreshing, automatic, merger, parent, pinned] { tokens += desk.tell(merger) }
    tokens += other.tell(nil)
  }

  deinit { tokens.forEach(NotificationCenter.default.removeObserver) }

  /// What a driver's thread does again and again.
  func step(_ driver: Int) throws {
    let desk = all[driver]
    if desk === parent { return try stepInParent() }
    if desk === firstChild { return try enter(desk, saving: 60) { try self.saveParent(30) } }
    if desk === secondChild { return try stepInSecondChild() }
    if desk === other { return try stepOfOther() }
    if desk === pinned { return try desk.lookAtGeneration() }
    try enter(desk, saving: 55)
  }

  /// Works in a context, on this thread or on the queue's.
  private func enter(_ desk: ContextDesk, saving percent: Int, _ end: @escaping () throws -> Void = {}) throws {
    func block() throws {
      try desk.work()
      switch Int.random(in: 0..<100, using: &desk.random) {
      case ..<percent: try desk.save()
      case ..<(percent + 6): desk.rollback()
      case ..<(percent + 8): desk.reset()
      case ..<(percent + 20): desk.refreshAll()
      default: break
      }
      try end()
      desk.note("nothing")
    }
    let isLater = desk.context.performAndWait { desk.chance(30) }
    if !isLater { return try desk.context.performAndWait(block) }
    let done = DispatchSemaphore(value: 0)
    nonisolated(unsafe) var failure: (any Error)?  // written before the signal, read after it
    desk.context.perform {
      do { try block() } catch { failure = error }
      done.signal()
    }
    done.wait()
    if let failure { throw failure }
  }

  /// Called inside of a child, whose thread goes on into the parent.
  private func saveParent(_ percent: Int) throws {
    try parent.context.performAndWait { if parent.chance(percent) { try parent.save() } }
  }

  /// From inside of the parent into a child, while the child's thread wants the parent.
  private func stepInParent() throws {
    try enter(parent, saving: 40) {
      guard self.parent.chance(40) else { return }
      let child = self.parent.chance(50) ? self.firstChild : self.secondChild
      try child.context.performAndWait {
        try child.workOnTheSide()
        if child.chance(30) { try child.save(isOnTheSide: true) }
      }
      self.world.count("ways from parent to child")
    }
  }

  private func stepInSecondChild() throws {
    let isInside = secondChild.context.performAndWait { secondChild.chance(40) }
    guard isInside else { return try enter(secondChild, saving: 60) }
    try parent.context.performAndWait {
      try secondChild.context.performAndWait {
        try secondChild.workOnTheSide()
        if secondChild.chance(60) { try secondChild.save(isOnTheSide: true) }
      }
      if parent.chance(20) { try parent.save() }
    }
    world.count("ways from parent to child")
  }

  private func stepOfOther() throws {
    try enter(other, saving: 55)
    mergeOthers()
    guard other.context.performAndWait({ other.chance(40) }) else { return }
    let count = other.context.performAndWait { Int.random(in: 1...20, using: &other.random) }
    other.merge(world.ofFirst.take(count), into: [other])
  }

  /// Has contexts of the first coordinator merge what the other one's has saved.
  private func mergeOthers() {
    other.merge(world.ofSecond.take(), into: [automatic, merger, parent])
  }

  // MARK: The end

  /// Gives up what was not saved, and merges all that waits to be merged.
  func comeToRest() throws {
    for desk in [firstChild, secondChild] + all { desk.context.performAndWait { desk.rollback() } }
    mergeOthers()
    other.merge(world.ofFirst.take(), into: [other])
    // Merges that the contexts do by themselves wait on their queues.
    for _ in 0..<2 { for desk in all { desk.context.performAndWait {} } }
    pinned.context.performAndWait { try? pinned.context.setQueryGenerationFrom(nil) }
  }
}
