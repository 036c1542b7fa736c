#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// Returns the bits by which history records the properties that an object has changed; nil if no history is kept.
    var historyBits: ((NSManagedObject) -> Data)? {
      guard serverOptions.tracksHistory else { return nil }
      return { [self] object in historyLayouts[number(of: object.entity) - 1].bitmaps.bitmap(of: object) }
    }

    /// Has a save announced to other programs soon.
    func announceSave() { attendant.announce() }

    /// Starts the work in the background. Called when the coordinator has added the store.
    func beginAttendance() {
      attendant.begin(self)
      listener?.begin(self)
    }

    /// Ends the work in the background. A save that was not announced yet is announced first, because the program may
    /// be about to end.
    func endAttendance() {
      listener?.stop()
      if attendant.stop() { try? announce(deadline: .now + .seconds(1)) }
    }

    /// Returns the name of the store's channel. A schema holds only one store, so the name contains the schema.
    static func channel(_ place: ServerPlace) -> String {
      PostgreSQLDialect().naming.table(of: "ocd:\(place.schema)")
    }

    /// Sends a notification. This is never done within a save's transaction, because the server lets only one
    /// transaction with notifications commit at a time.
    func announce(deadline: ContinuousClock.Instant) throws {
      let connection = try takeWriter(deadline: deadline)
      defer { writers.give(connection) }
      var values = ServerValues()
      values.append(Self.channel(serverPlace))
      values.append(ServerAttendant.process.uuidString)
      var flight = Flight()
      flight.add(Self.notification, values)
      try connection.run(flight, deadline: deadline)
    }

    private static let notification = ServerStatement(
      "SELECT pg_notify($1, $2)", types: [ServerType.text, ServerType.text], isWork: false)
  }
#endif
