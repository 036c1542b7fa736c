import Foundation
import OpenCocoaFoundation
import Synchronization

// A child reads rows that no context above it has changed in read transactions of its own.
extension Ancestors {
  /// Sees to it that the next read of a child shows no less than the contexts above have saved, and what the one at the
  /// top sees.
  /// - Throws: what beginning a query generation throws.
  @inline(__always)
  func prepareToRead(_ store: NSPersistentStore) throws {
    try followRoot()
    if case .unpinned = context.reads.generation { FaultReader(of: context).letGoOfOldReads(store) }
  }

  /// Reads the query generation that the context at the top is pinned to, if it is.
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
