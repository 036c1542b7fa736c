import Foundation
import OpenCocoaFoundation
import Synchronization

// A child reads rows that no context above it has changed in read transactions of its own.
extension NSManagedObjectContext {
  /// Sees to it that the next read of a child shows no less than the contexts above have saved, and what the one at the
  /// top sees.
  /// - Throws: what beginning a query generation throws.
  @inline(__always)
  final func prepareToRead(_ store: NSPersistentStore) throws {
    try followRoot()
    if case .unpinned = queryGeneration { FaultReader(of: self).letGoOfOldReads(store) }
  }

  /// Reads the query generation that the context at the top is pinned to, if it is.
  final func followRoot() throws {
    guard parentContext != nil else { return }
    let root = rootContext
    guard root.nesting.isPinned.load(ordering: .acquiring) else {
      if case .unpinned = queryGeneration { return }
      return pin(.unpinned)
    }
    let wanted = try root.performAndWait { () throws -> QueryGenerationPin in
      try root.pinQueryGeneration()
      return root.queryGeneration
    }
    if case .generation(let new) = wanted, case .generation(let old) = queryGeneration, new === old { return }
    pin(wanted)
  }
}
