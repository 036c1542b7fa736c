#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  extension ServerStore {
    /// The bits by which history names the properties that an object has changed; nil where no history is kept.
    var historyBits: ((NSManagedObject) -> Data)? {
      guard serverOptions.tracksHistory else { return nil }
      return { [self] object in historyLayouts[number(of: object.entity) - 1].bitmaps.bitmap(of: object) }
    }

    /// Tells other programs of a save, in a moment.
    func announceSave() { attendant.announce() }

    /// The coordinator has the store now: what goes on in the background begins.
    func beginAttendance() {
      attendant.begin(self)
      listener?.begin(self)
    }

    /// Ends what goes on in the background. A save that was not announced yet is announced first, because the program may be
    /// about to end.
    func endAttendance() {
      listener?.stop()
      if attendant.stop() { try? announce(deadline: .now + .seconds(1)) }
    }

    /// The channel of the store, which is the only one in its schema.
    static func channel(_ place: ServerPlace) -> String {
      PostgreSQLDialect().naming.table(of: "ocd:\(place.schema)")
    }

    /// Sends a notification, never within a save's transaction: the server lets one such transaction commit at a time.
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
