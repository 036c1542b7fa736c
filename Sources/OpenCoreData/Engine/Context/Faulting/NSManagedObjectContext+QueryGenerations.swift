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
    return switch reads.generation {
    case .unpinned: nil
    case .current: reads.mayBePinned ? .current : nil
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
    guard let generation else { return reads.pin(.unpinned) }
    if generation.isCurrent { return reads.pin(.current) }
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
    reads.pin(.generation(pinned))
    merger.isPinnedByToken = true
  }

  /// Pins the context now if its next read would.
  /// - Throws: 134070 when there are too many generations; what opening a connection throws.
  package final func pinQueryGeneration() throws { try reads.pinNow() }
}
