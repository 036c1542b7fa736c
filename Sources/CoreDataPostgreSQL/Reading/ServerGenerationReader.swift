#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// A read transaction on a server that stays open as long as a query generation needs it.
  ///
  /// Contexts that are pinned to the same generation share it, one read at a time. While it is open, the server keeps all
  /// versions of rows that it may read.
  final class ServerGenerationReader: GenerationReader, @unchecked Sendable {  // the connection belongs to `lock`
    private let lock = NSLock()
    private let store: ServerStore
    private var connection: ServerConnection?
    let commit: UInt64
    private let own = Mutex<RowCache?>(nil)

    /// The limit of a generation's own row cache, in bytes of rows that no object uses.
    private static let byteLimit = 64 << 20

    /// Begins at the latest commit.
    /// - Throws: 134070 if the store has as many generations as are allowed; the error of connecting.
    init(_ store: ServerStore) throws {
      self.store = store
      let taken = try Self.take(store)
      do {
        commit = try store.beginRead(on: taken, attempts: 100, nil) { _ in }
      } catch {
        store.pinned.give(taken)
        throw (error as? ServerError)?.cocoaError(store, isWriting: false) ?? error
      }
      connection = taken
    }

    private static func take(_ store: ServerStore) throws -> ServerConnection {
      do {
        return try store.pinned.take(deadline: .now)
      } catch is PoolTimeout {
        throw NSError(
          coreData: NSPersistentStoreOperationError,
          "The store at \(store.place) has as many query generations as it may have connections for them.")
      }
    }

    deinit {
      if let connection { store.pinned.give(connection) }
    }

    /// Sends statements in the transaction.
    /// - Throws: 134070 if the store was removed from its coordinator, or the connection is lost, since the state cannot be
    ///   read again.
    func read(_ watch: FetchWatch?, _ prepare: (inout ReadFlight) throws -> Void) throws {
      lock.lock()
      defer { lock.unlock() }
      guard let connection, store.isOpen else { throw Self.over("its store has been removed from its coordinator") }
      do {
        try store.read(on: connection, commit: commit, watch, prepare)
      } catch let error as ServerError where error.isConnectionLost {
        self.connection = nil
        store.pinned.give(connection)
        throw Self.over("the connection that read it is lost")
      }
    }

    private static func over(_ reason: String) -> NSError {
      NSError(coreData: NSPersistentStoreOperationError, "The query generation is over: \(reason).")
    }

    // MARK: Rows

    /// The cache of rows that the coordinator's cache does not take, because the coordinator's cache is at a later commit;
    /// nil while there are no such rows.
    var ownRows: RowCache? { own.withLock { $0 } }

    func makeOwnRows() -> RowCache {
      own.withLock { own in
        if let own { return own }
        let made = RowCache(entityCount: store.model.entities.count, byteLimit: Self.byteLimit, floor: 0)
        own = made
        return made
      }
    }
  }
#endif
