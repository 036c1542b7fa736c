#if os(Linux)
  import CRuntime
  import Foundation
  import Synchronization

  extension CoreDataInstruments {
    /// Lets tools of this user look into the running program: `coredata attach`, and the studio.
    ///
    /// They see coordinators, stores, contexts, registered objects, pending changes with old and new values, and statements,
    /// fetches, faults and saves as they happen; they start and stop recordings. Looking changes nothing and fires no fault. A
    /// context that does not answer within 100 ms is shown as busy. Values of attributes with `OCDSecretAttributeKey` are left
    /// out, and predicates cannot ask for them.
    ///
    /// The program listens at a Unix socket, `PID.sock`, in a folder that only this user can enter; connections of other users
    /// are closed. The socket is removed by `stopListening()` and at the end of the program. While nobody looks, the program
    /// does nothing more than before. Call it once, at the start:
    ///
    /// ```swift
    /// #if DEBUG
    ///   try CoreDataInstruments.listen()
    ///   print(CoreDataInstruments.isListening)  // true
    ///   CoreDataInstruments.stopListening()
    /// #endif
    /// ```
    ///
    /// Not in Apple's framework. On Linux alone.
    /// - Parameters:
    ///   - folder: the folder of the socket, made if it is not there; nil for `$XDG_RUNTIME_DIR/opencoredata`, or
    ///     `/tmp/opencoredata-UID` where the variable is not set or names no folder. Tools look there.
    ///   - allowingReleaseBuilds: whether a program that was built for release listens, too. Whoever works as its user sees its
    ///     unsaved values.
    /// - Returns: the socket.
    /// - Throws: 134060 in a release build, 134080 if the program listens already, 513 for a folder of another user, one that
    ///   others can enter, and one that may not be made, 4 if the folder that it would be made in is not there, 512 if the path is
    ///   too long for a socket or the system refuses otherwise.
    @discardableResult
    public static func listen(in folder: URL? = nil, allowingReleaseBuilds: Bool = false) throws -> URL {
      try listen(in: folder, isAllowed: _isDebugAssertConfiguration() || allowingReleaseBuilds)
    }

    @discardableResult
    static func listen(in folder: URL?, isAllowed: Bool, scope: LookScope = .all) throws -> URL {
      guard isAllowed else {
        throw NSError(
          coreData: NSCoreDataError,
          "A release build lets nobody look into it. Call listen(allowingReleaseBuilds: true) if that is what you want."
        )
      }
      try DispatchStart.prepare()
      return try listener.withLock { listener in
        guard listener == nil else {
          throw NSError(coreData: NSPersistentStoreOpenError, "The program listens already.")
        }
        let new = try Listener(folder: folder?.path ?? LocalSocket.standardFolder, scope: scope)
        _ = stopsAtExit
        new.start()
        listener = new
        return URL(fileURLWithPath: new.path)
      }
    }

    /// Whether tools can look into the program.
    public static var isListening: Bool { listener.withLock { $0 != nil } }

    /// Lets nobody look into the program any more, closes all connections and removes the socket.
    public static func stopListening() {
      // The socket goes under the lock: after it, a new listener may have one at the same path.
      let old = listener.withLock { listener in
        listener?.removeSocket()
        return listener.take()
      }
      old?.stop()
    }

    private static let listener = Mutex<Listener?>(nil)
    private static let stopsAtExit: Void = { _ = runtime_at_exit { CoreDataInstruments.removeSocket() } }()

    /// At the end of the program the thread is not waited for: it may be anywhere.
    private static func removeSocket() {
      listener.withLock { $0?.removeSocket() }
    }
  }
#endif
