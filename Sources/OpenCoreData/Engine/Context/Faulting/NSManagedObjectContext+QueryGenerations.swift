import Foundation
import OpenCocoaFoundation

// Query generations: a context sees one state of the stores while other contexts and programs save.
extension NSManagedObjectContext {
  /// The generation that the context is pinned to.
  ///
  /// Nil as long as the context is not pinned, and for a child context, which reads what its parent sees;
  /// `NSQueryGenerationToken.current` from the time that it was set until something is read.
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
  ///   `NSQueryGenerationToken.current` pins the context to the commit that is the latest when it reads next; the token
  ///   of another context of the same coordinator pins it to the state that the other context sees.
  ///
  /// A pinned context's fetches, counts, faults and relationships show that state, whatever others save meanwhile. The
  /// context moves to the latest commit when it saves, is reset, merges the changes of others, or when a generation is
  /// set again; it does not move with a batch request. Objects that are registered keep what they have read: refresh them
  /// to see the new state. History is always read in its latest state. Stores that are added later are left out of
  /// fetches until the context moves on.
  ///
  /// A change on top of a row that others have changed since then is a conflict when it is saved, as ever; set `current`
  /// again and refresh the object to go on from the new state.
  ///
  /// The stores' write-ahead logs grow as long as a generation lasts, since nothing behind it can be reused; a server
  /// keeps deleted and replaced rows as long. A generation ends when no context is pinned to it and its token is
  /// released. A store can have at most as many generations at once as readers
  /// (`NSPersistentStoreConnectionPoolMaxSizeKey`, 8 unless the options say otherwise; in a server 16 or more); a read
  /// that needs one more throws 134070. Contexts that share a generation take turns at reading.
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

  /// Pins the context now if its next read would pin it.
  /// - Throws: 134070 when there are too many generations; what opening a connection throws.
  package final func pinQueryGeneration() throws { try reads.pinNow() }
}
