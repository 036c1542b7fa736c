import Foundation
import OpenCocoaFoundation

// Query generations: a context that sees one state of the stores while others save.
extension NSManagedObjectContext {
  /// The generation that the context is pinned to.
  ///
  /// Nil as long as it is not, and for a child context, which reads what its parent sees;
  /// `NSQueryGenerationToken.current` from the time that was set until something is read.
  public final var queryGenerationToken: NSQueryGenerationToken? {
    checkQueue()
    if parentContext != nil { return nil }
    return switch queryGeneration {
    case .unpinned: nil
    case .current: mayBePinned ? .current : nil
    case .generation(let generation): NSQueryGenerationToken(generation)
    }
  }

  /// Pins the context to one state of its coordinator's stores, or unpins it.
  ///
  /// - Parameter generation: nil, the default of every context, lets each fetch see the latest commit.
  ///   `NSQueryGenerationToken.current` pins the context to what is the latest commit when it reads next; the token of
  ///   another context of the same coordinator, to the state that that one sees.
  ///
  /// A pinned context's fetches, counts, faults and relationships are of that state, whatever others save meanwhile. It
  /// moves to the latest commit when it saves, is reset, merges the changes of others, or when a generation is set again;
  /// not with a batch request. Objects that are registered keep what they have read: refresh them to see the new state.
  /// History is always read as it is now. Stores that are added later are left out of fetches until the context moves on.
  ///
  /// A change on top of a row that others have changed since then is a conflict when it is saved, as ever; set `current`
  /// again and refresh the object to go on from the new state.
  ///
  /// The stores' write-ahead logs grow as long as a generation lasts, since nothing behind it can be reused; a server keeps
  /// deleted and replaced rows as long. It ends when no context is pinned to it and nobody holds its token. A store has at most
  /// as many at once as readers (`NSPersistentStoreConnectionPoolMaxSizeKey`, 8 unless the options say otherwise; in a server 16
  /// or more); a read that needs one more throws 134070. Contexts that share one take turns at reading.
  ///
  /// SQLite stores with a write-ahead log (the usual `journal_mode`) and stores in a PostgreSQL server have generations; other
  /// stores go on showing what they have. A child context stops the program: it reads what the context at the top is pinned to.
  /// - Throws: 134070 for a token that another coordinator made, or whose generation is over.
  public final func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws {
    checkQueue()
    if parentContext != nil {
      raise(
        .invalidArgument, "A context with a parent reads the query generation of the context at the top: pin that one.")
    }
    guard let generation else { return pin(.unpinned) }
    if generation.isCurrent { return pin(.current) }
    guard let pinned = generation.generation, !pinned.isOver else {
      throw NSError(
        coreData: NSPersistentStoreOperationError,
        "The query generation of this token is over, or belongs to another process: \(generation)")
    }
    guard pinned.coordinator === persistentStoreCoordinator else {
      throw NSError(
        coreData: NSPersistentStoreOperationError,
        "The token is of a query generation of another persistent store coordinator: \(generation)")
    }
    pin(.generation(pinned))
    merger.isPinnedByToken = true
  }

  final func pin(_ new: QueryGenerationPin) {
    queryGeneration = new
    if case .current = new { merger.isPinnedByToken = false }
    if case .unpinned = new { merger.isPinnedByToken = false }
    for transaction in readTransactions.all { transaction.follow(new) }
  }

  /// Whether there is a store with generations, or may be one yet.
  private final var mayBePinned: Bool {
    let stores = persistentStoreCoordinator?.persistentStores ?? []
    return stores.isEmpty || stores.contains { $0.can(.generations) }
  }

  /// Pins the context now if its next read would.
  /// - Throws: 134070 when there are too many generations; what opening a connection throws.
  package final func pinQueryGeneration() throws {
    guard case .current = queryGeneration else { return }
    let generation = try QueryGeneration(of: requiredCoordinator())
    pin(generation.hasReaders ? .generation(generation) : .unpinned)
  }

  /// Lets a pinned context move to the latest commit: after a save, with a merge or a reset. A context that is not pinned
  /// stays so.
  /// - Parameter now: whether the new generation begins at once, so that there is a token to announce; else with the next
  ///   read.
  final func advanceQueryGeneration(now: Bool = false) {
    guard case .generation = queryGeneration, parentContext == nil else { return }
    pin(.current)
    // A failure is ignored here, since the save or merge before is done: the next read pins the context, and throws.
    if now { try? pinQueryGeneration() }
  }

  /// Whether the context shows what the store has: one that was added after the generation began it does not.
  final func sees(_ store: NSPersistentStore) -> Bool {
    guard case .generation(let generation) = queryGeneration else { return true }
    return generation.covers(store)
  }

  /// A read transaction at the latest commit, even if the context is pinned to a generation: for saves, conflicts and
  /// history.
  final func latestReadTransaction(on store: NSPersistentStore) -> ReadTransaction {
    guard case .unpinned = queryGeneration else { return store.makeReadTransaction(for: self) }
    return readTransaction(on: store)
  }
}
