#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Opens a store in a server, or creates it, and checks that the store fits the model. A store that does not fit is
  /// left untouched.
  struct OpenedServer {
    let url: URL
    let place: ServerPlace
    /// The standby from which contexts read; nil if there is none.
    let replica: ServerPlace?
    let options: ServerOptions
    let metadata: StoreMetadata
    let schemaVersion: Int64
    /// The entities of the configuration that the store holds; empty if the store has no configuration and holds all
    /// entities.
    let entityNames: Set<String>
    let schema: SQLModel
    let identity: ServerIdentity
    /// How long a flight with little work took.
    let roundTrip: Duration
    /// The connection whose transaction has made the store and is still open, if the store is to be filled first.
    let creation: ServerConnection?

    /// - Parameter creates: whether the store is made here, in a transaction that stays open.
    /// - Throws: 134080 for an invalid URL or option, 260 if there is no such database, or no store to open read-only,
    ///   257 if the server does not let the user in or the user may not use the schema, 134070 or 134090 if no server
    ///   answers, 134100 if the store has another model, 516 if the store is to be made and is there.
    init(
      _ url: URL, model: NSManagedObjectModel, configuration: String?, options given: [AnyHashable: Any]?,
      creates: Bool = false
    ) throws {
      self.url = url
      let options = try ServerOptions(given, url)
      self.options = options
      let place = try Self.place(url, options)
      self.place = place
      replica = try options.replicaURL.map { try Self.place($0, options) }
      guard let all = model.entities(forConfigurationName: configuration) else {
        throw NSError(
          coreData: NSPersistentStoreOpenError, "The model has no configuration named '\(configuration ?? "")'.")
      }
      let connection = try Self.connect(place, options)
      var isKept = false
      defer { if !isKept { connection.close() } }
      do {
        try Self.check(connection, place)
        let requirements = ServerRequirements(connection, place)
        try requirements.check()
        let began = ContinuousClock.now
        let number = try SystemNumber(connection)
        roundTrip = .now - began
        var row = try StoreRow.read(connection, place: place.display)
        if creates, row != nil { throw Self.isTaken(place) }
        if row == nil {
          if options.isReadOnly { throw Self.missing(place) }
          row = try Self.create(all, model, on: connection, place, number, commits: !creates)
        }
        guard let row else { throw Self.missing(place) }
        let entities =
          model.entities(forConfigurationName: configuration, heldByStoreWith: row.metadata.properties) ?? all
        if !options.ignoresVersion { try Self.check(row.metadata, place: place, entities: entities) }
        if !options.isReadOnly { try requirements.checkWriting() }
        identity = try ServerIdentity(connection, options, place, number)
        entityNames = configuration == nil ? [] : Set(entities.compactMap(\.name))
        (metadata, schemaVersion) = (row.metadata, row.version)
        schema = SQLModel(entities: entities, dialect: PostgreSQLDialect())
        creation = creates ? connection : nil
        isKept = creates
      } catch let error as ServerError {
        throw error.cocoaError(place: place.display, isWriting: false)
      }
    }

    /// - Throws: 134080 for a URL that is not that of a server.
    static func place(_ url: URL, _ options: ServerOptions) throws -> ServerPlace {
      do {
        return try ServerPlace(
          url, schema: options.schema, password: options.password?.password, settings: options.settings,
          applicationName: ProcessInfo.processInfo.processName, usesNamedStatements: !options.usesPooler)
      } catch let error as ServerPlaceError {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "A PostgreSQL store needs a URL such as postgresql://user@host/database: \(error.message).")
      }
    }

    /// - Throws: the error of a store that cannot be opened.
    static func connect(_ place: ServerPlace, _ options: ServerOptions) throws -> ServerConnection {
      do {
        return try ServerConnection(place, deadline: .now + .seconds(options.timeout))
      } catch let error as ServerError {
        throw error.cocoaError(place: place.display, isWriting: false)
      }
    }

    /// For how many seconds an open store waits for a server that does not answer any more: the server may be
    /// restarting, or another one may be taking its place.
    private static let absence = 5.0

    /// Connects for a store that is open. Nothing has been sent yet, so a failed attempt can be repeated.
    static func connectAgain(_ place: ServerPlace, _ options: ServerOptions) throws -> ServerConnection {
      let end = ContinuousClock.now + .seconds(min(options.timeout, absence))
      var pause: UInt32 = 5_000
      while true {
        do {
          return try ServerConnection(place, deadline: .now + .seconds(options.timeout))
        } catch let error as ServerError {
          // 53300: the server has reached its limit of connections.
          let mayPass = error.sqlState == "53300" || error.isConnectionLost && !error.isTimedOut
          guard mayPass, ContinuousClock.now < end else {
            throw error.cocoaError(place: place.display, isWriting: false)
          }
          usleep(pause)
          pause = min(2 * pause, 320_000)
        }
      }
    }

    private static func check(_ connection: ServerConnection, _ place: ServerPlace) throws {
      if connection.serverVersion < 150_000 {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "The server at \(place.display) is of version \(connection.serverVersion / 10_000); 15 or later is needed.")
      }
      let encoding = connection.parameter("server_encoding") ?? ""
      guard encoding == "UTF8" else {
        throw NSError(
          coreData: NSPersistentStoreOpenError,
          "The database at \(place.display) has the encoding \(encoding); UTF8 is needed, which holds all strings.")
      }
    }

    /// The error of opening or reading a store that does not exist.
    static func missing(_ place: ServerPlace) -> NSError {
      NSError(
        coreData: CocoaError.Code.fileReadNoSuchFile.rawValue,
        "There is no store in the schema \(place.schema) at \(place.display).", [NSFilePathErrorKey: place.display])
    }

    /// The error of making a store where there is one.
    static func isTaken(_ place: ServerPlace) -> NSError {
      NSError(
        coreData: CocoaError.Code.fileWriteFileExists.rawValue,
        "There is a store in the schema \(place.schema) at \(place.display) already.",
        [NSFilePathErrorKey: place.display])
    }

    /// - Throws: 134100 with the names of the entities that differ.
    private static func check(_ metadata: StoreMetadata, place: ServerPlace, entities: [NSEntityDescription]) throws {
      let differences = metadata.differences(from: entities)
      guard differences.isEmpty else {
        throw NSError(
          coreData: NSPersistentStoreIncompatibleVersionHashError,
          "The model used to open the store at \(place.display) is incompatible with the one used to create it; "
            + "these entities differ: \(differences.joined(separator: ", ")).",
          [
            NSFilePathErrorKey: place.display, "metadata": metadata.dictionary, "entities": differences,
            "reason": "The model used to open the store is incompatible with the one used to create the store",
          ])
      }
    }
  }
#endif
