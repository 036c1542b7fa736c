import Foundation
import OpenCocoaFoundation
import Synchronization

/// Begins and ends the read transactions of a context, and says which state of the stores they read. The state is `ReadState`.
struct ContextReads {
  private let context: NSManagedObjectContext

  @inline(__always)
  init(of context: NSManagedObjectContext) { self.context = context }

  /// The context's transaction on `store`.
  func transaction(on store: NSPersistentStore) -> ReadTransaction {
    if let transaction = context.readState[store] { return transaction }
    let transaction = store.makeReadTransaction(for: context)
    transaction.follow(generation)
    context.readState.add(transaction, on: store)
    return transaction
  }

  /// Ends the context's read transactions; the next read begins at the latest commit, unless the context is pinned.
  func end() {
    // A child reads the state that the context at the top sees then: it must not hold a generation that the top context
    // has left.
    if context.parentContext != nil, case .generation = generation { pin(.unpinned) }
    for transaction in context.readState.all { transaction.end() }
  }

  /// Begins the transaction on a store if none is open, so that rows which others have written leave the row cache: a fault that
  /// the cache answers begins none. A pinned context stays where it is.
  func noticeOthers(in store: NSPersistentStore) {
    guard case .unpinned = generation else { return }
    let transaction = transaction(on: store)
    // A store that cannot be read says so at the next read.
    if transaction.pinnedCommit == .max { _ = try? transaction.refresh() }
  }

  // MARK: Query generations

  /// The query generation that the transactions read.
  @inline(__always)
  var generation: QueryGenerationPin { context.readState.generation }

  func pin(_ new: QueryGenerationPin) {
    context.readState.pin(to: new)
    if case .unpinned = new {
      context.nesting.isPinned.store(false, ordering: .releasing)
    } else {
      context.nesting.isPinned.store(true, ordering: .releasing)
    }
    if case .current = new { context.merger.isPinnedByToken = false }
    if case .unpinned = new { context.merger.isPinnedByToken = false }
    for transaction in context.readState.all { transaction.follow(new) }
  }

  /// Whether there is a store with generations, or may be one yet.
  var mayBePinned: Bool {
    let stores = context.persistentStoreCoordinator?.persistentStores ?? []
    return stores.isEmpty || stores.contains { $0.can(.generations) }
  }

  /// Pins the context now if its next read would pin it.
  /// - Throws: 134070 when there are too many generations; what opening a connection throws.
  func pinNow() throws {
    guard case .current = generation else { return }
    let new = try QueryGeneration(of: context.requiredCoordinator())
    pin(new.hasReaders ? .generation(new) : .unpinned)
  }

  /// Lets a pinned context move to the latest commit: after a save, with a merge or a reset. A context that is not pinned
  /// stays so.
  /// - Parameter now: whether the new generation begins at once, so that there is a token to announce; else with the next
  ///   read.
  func advance(now: Bool = false) {
    guard case .generation = generation, context.parentContext == nil else { return }
    pin(.current)
    // A failure is ignored here, since the save or merge before is done: the next read pins the context, and throws.
    if now { try? pinNow() }
  }

  /// Whether the context shows the store's objects: a store that was added after the context's generation began is not shown.
  func sees(_ store: NSPersistentStore) -> Bool {
    guard case .generation(let generation) = generation else { return true }
    return generation.covers(store)
  }

  /// A read transaction at the latest commit, even if the context is pinned to a generation: for saves, conflicts and
  /// history.
  func latest(on store: NSPersistentStore) -> ReadTransaction {
    guard case .unpinned = generation else { return store.makeReadTransaction(for: context) }
    return transaction(on: store)
  }
}
