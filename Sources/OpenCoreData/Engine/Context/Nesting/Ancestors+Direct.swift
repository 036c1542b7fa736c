import Foundation
import OpenCocoaFoundation
import Synchronization

// A child has read transactions of its own for rows that no context above it has changed.
extension Ancestors {
  /// Makes sure that the next read of a child shows at least everything that the contexts above have saved, and the query
  /// generation that the context at the top sees.
  /// - Throws: errors of beginning a query generation.
  @inline(__always)
  func prepareToRead(_ store: NSPersistentStore) throws {
    try followRoot()
    if case .unpinned = context.reads.generation { FaultReader(of: context).letGoOfOldReads(store) }
  }

  /// Makes the context read the query generation that the context at the top is pinned to, if it is pinned.
  func followRoot() throws {
    guard context.parentContext != nil else { return }
    let root = root
    guard root.nesting.isPinned.load(ordering: .acquiring) else {
      if case .unpinned = context.reads.generation { return }
      return context.reads.pin(.unpinned)
    }
    let wanted = try root.performAndWait { () throws -> QueryGenerationPin in
      try root.reads.pinNow()
      return root.reads.generation
    }
    if case .generation(let new) = wanted, case .generation(let old) = context.reads.generation, new === old { return }
    context.reads.pin(wanted)
  }
}
