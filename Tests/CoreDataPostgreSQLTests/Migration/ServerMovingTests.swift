#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL
  @_spi(Store) @testable import OpenCoreData

  /// Stores that move between a file and a server.
  @Suite(.enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct ServerMovingTests {
    static let model = """
      <entity name='All'><attribute name='i16' optional='YES' attributeType='Integer 16'/>
        <attribute name='i32' optional='YES' attributeType='Integer 32'/>
        <attribute name='i64' optional='YES' attributeType='Integer 64'/>
        <attribute name='flag' optional='YES' attributeType='Boolean'/>
        <attribute name='real' optional='YES' attributeType='Float'/>
        <attribute name='double' optional='YES' attributeType='Double'/>
        <attribute name='decimal' optional='YES' attributeType='Decimal'/>
        <attribute name='date' optional='YES' attributeType='Date'/>
        <attribute name='text' optional='YES' attributeType='String'/>
        <attribute name='uuid' optional='YES' attributeType='UUID'/>
        <attribute name='uri' optional='YES' attributeType='URI'/>
        <attribute name='data' optional='YES' attributeType='Binary' allowsExternalBinaryDataStorage='YES'/>
        <relationship name='next' optional='YES' maxCount='1' destinationEntity='All' inverseName='before' inverseEntity='All'/>
        <relationship name='before' optional='YES' toMany='YES' ordered='YES' destinationEntity='All' inverseName='next' inverseEntity='All'/>
        <relationship name='friends' optional='YES' toMany='YES' ordered='YES' destinationEntity='Sub' inverseName='fans' inverseEntity='Sub'/>
        <relationship name='parts' optional='YES' toMany='YES' ordered='YES' destinationEntity='Part'/></entity>
      <entity name='Sub' parentEntity='All'><attribute name='more' optional='YES' attributeType='String'/>
        <relationship name='fans' optional='YES' toMany='YES' ordered='YES' destinationEntity='All' inverseName='friends' inverseEntity='All'/></entity>
      <entity name='Part'><attribute name='name' optional='YES' attributeType='String'/>
        <relationship name='near' optional='YES' toMany='YES' destinationEntity='Part' inverseName='near' inverseEntity='Part'/></entity>
      """

    static func fill(_ context: NSManagedObjectContext) {
      func insert(_ entity: String) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      }
      let parts = (0..<30).map { number in
        let part = insert("Part")
        part.setValue("p\(number)", forKey: "name")
        return part
      }
      parts[0].setValue(Set(parts[1...4]), forKey: "near")
      let all = (0..<60).map { insert($0.isMultiple(of: 3) ? "Sub" : "All") }
      let subs = all.filter { $0.entity.name == "Sub" }
      for (number, object) in all.enumerated() where number > 0 {
        let values: [String: Any] = [
          "i16": Int16.min, "i32": Int32.max, "i64": Int64.min + Int64(number), "flag": number.isMultiple(of: 2),
          "real": Float.random(in: -1...1), "double": Double.random(in: -1e300...1e300),
          "decimal": Decimal(string: "-1234567890123.\(number)5") ?? 0,
          "date": Date(timeIntervalSinceReferenceDate: .random(in: -1e9...1e9)), "text": "ä\u{301}\n'\"\\ 𝄞\(number)",
          "uuid": UUID(), "uri": URL(string: "https://example.org/\(number)") as Any,
          "data": Data((0..<(number == 7 ? 300_000 : number)).map { UInt8(truncatingIfNeeded: $0) }),
        ]
        for (key, value) in values { object.setValue(value, forKey: key) }
        object.setValue(all[number / 7], forKey: "next")
        object.setValue(NSOrderedSet(array: subs.shuffled().prefix(5).map { $0 }), forKey: "friends")
        if number <= 10 {
          object.setValue(NSOrderedSet(array: parts[(number - 1) * 3..<number * 3].reversed()), forKey: "parts")
        }
      }
    }

    @Test func thereAndBack() throws {
      let pair = try MigratedPair(MigratedPair.model(Self.model), Self.fill)
      #expect(try pair.difference(pair.old) == nil)
      let back = pair.folder.appendingPathComponent("Back.sqlite")
      try MigratedPair.open(pair.server, pair.old) { coordinator, store in
        store.metadata["own"] = ["a", "b"]
        let progress = Progress(totalUnitCount: 1)
        progress.becomeCurrent(withPendingUnitCount: 1)
        let copy = try coordinator.migratePersistentStore(store, to: back, type: .sqlite)
        progress.resignCurrent()
        #expect(progress.isFinished && copy.metadata["own"] as? [String] == ["a", "b"])
        try coordinator.remove(copy)
        _ = try coordinator.addPersistentStore(
          ofType: NSPostgreSQLStoreType, configurationName: nil, at: pair.server)
      }
      #expect(try MigratedPair.difference(pair.server, back, pair.old) == nil)
      #expect(try MigratedPair.difference(pair.file, back, pair.old) == nil)
      for url in [pair.server, back] {
        // New keys come after those that were taken over.
        try MigratedPair.open(url, pair.old) { coordinator, _ in
          try MigratedPair.inContext(coordinator) { context in
            for name in ["All", "Part"] { _ = NSEntityDescription.insertNewObject(forEntityName: name, into: context) }
            try context.save()
          }
        }
      }
    }

    @Test func wrongPlaces() throws {
      let model = try MigratedPair.model(
        "<entity name='Part'><attribute name='name' optional='YES' attributeType='String'/></entity>")
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ocd-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let url = try TestPlace.new(), schema = ServerPlace.schema(of: url) ?? ""
      let other = try OpenedServer.connect(OpenedServer.place(url, ServerOptions(nil, url)), ServerOptions(nil, url))
      defer { other.close() }
      try other.execute([
        "CREATE SCHEMA \"\(schema)\"", "CREATE TABLE \"Part\"(x integer)", "INSERT INTO \"Part\" VALUES (5)",
      ])
      let file = folder.appendingPathComponent("Store.sqlite")
      try MigratedPair.open(file, model) { coordinator, store in
        #expect(throws: (any Error).self) {
          try coordinator.migratePersistentStore(store, to: url, type: .postgreSQL)
        }
        #expect(try other.integer("SELECT sum(x) FROM \"Part\"") == 5)
        #expect(coordinator.persistentStores.count == 1)
        try other.execute("DROP TABLE \"Part\"")
        let copy = try coordinator.migratePersistentStore(store, to: url, type: .postgreSQL)
        // There is a store now.
        let again = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: file)
        #expect(throws: (any Error).self) {
          try coordinator.migratePersistentStore(again, to: url, type: .postgreSQL)
        }
        try coordinator.remove(copy)
      }
      #expect(try other.integer("SELECT count(*) FROM \"_store\"") == 1)
    }

    /// Whether there is a store, when the transactions that make one have come to their ends.
    private static func isThere(_ url: URL) throws -> Bool {
      let options = try ServerOptions(nil, url), place = try OpenedServer.place(url, options)
      let connection = try OpenedServer.connect(place, options)
      defer { connection.close() }
      try OpenedServer.beginAlone(on: connection, place)
      return try StoreRow.read(connection, place: place.display) != nil
    }

    /// The connection of a copy is cut after each message (`SOAK=16`): there is a whole store or none, as after a kill of the
    /// program, and the next attempt makes it.
    @Test(arguments: [true, false]) func aCopyThatIsCutIsWholeOrNotThere(isOfFile: Bool) throws {
      let pair = try MigratedPair(MigratedPair.model(Self.model), Self.fill)
      let proxy = try MessageProxy(to: PostgreSQLServer.shared.get().socket)
      defer { proxy.stop() }
      // A store that moves between servers has other databases; by the proxy the same one seems to be another.
      let source = isOfFile ? pair.file : pair.server
      try MigratedPair.open(source, pair.old) { _, store in
        store.metadata["own"] = ["a", "b"]
        try store.saveMetadata()
      }
      func copy(to place: URL, timeout: TimeInterval = Patience.seconds) throws {
        if isOfFile {
          try MigratedPair.open(source, pair.old) { coordinator, store in
            let copy = try coordinator.migratePersistentStore(
              store, to: place, options: [NSPersistentStoreTimeoutOption: timeout], type: .postgreSQL)
            try coordinator.remove(copy)
          }
        } else {
          try NSPersistentStoreCoordinator(managedObjectModel: pair.old).replacePersistentStore(
            at: place, destinationOptions: [NSPersistentStoreTimeoutOption: timeout],
            withPersistentStoreFrom: source, sourceOptions: nil, type: .postgreSQL)
        }
      }
      func place() throws -> (direct: URL, proxied: URL) {
        let direct = try TestPlace.new()
        let query = try #require(URLComponents(url: direct, resolvingAgainstBaseURL: false)?.queryItems)
        return (direct, proxy.url().appending(queryItems: query))
      }
      func check(_ place: URL, _ what: String) throws {
        let server = try MigratedPair.open(place, pair.old) { $1.metadata["own"] as? [String] }
        #expect(server == ["a", "b"], "\(what)")
        #expect(try MigratedPair.difference(source, place, pair.old) == nil, "\(what)")
      }
      proxy.resetCounts()
      try copy(to: try place().proxied)
      let count = proxy.count(of: .client)
      // From the cut on nothing answers, so that the copy cannot remove what it has begun.
      let unreachable = Array(repeating: (count: 0, side: MessageProxy.Side.server), count: 10_000)
      var cuts = 0
      for number in Array(stride(from: 0, to: count, by: ProxiedWorld.stride)) + Array(count - 4..<count) {
        let (direct, proxied) = try place(), what = "cut after \(number) of \(count) messages"
        proxy.cut([(number, .client)] + unreachable)
        let failure = #expect(throws: (any Error).self, "\(what)") { try copy(to: proxied, timeout: 5) }
        proxy.doNotCut()
        if let failure { checkFailure(failure, what) }
        if try !Self.isThere(direct) {
          cuts += 1
          try copy(to: proxied)
        }
        try check(direct, what)
      }
      #expect(cuts > 0)
    }

    @Test func textThatNoServerTakes() throws {
      let error = #expect(throws: (any Error).self) {
        try MigratedPair(MigratedPair.model(Self.model)) { context in
          let part = NSEntityDescription.insertNewObject(forEntityName: "Part", into: context)
          part.setValue("a\0b", forKey: "name")
        }
      }
      let text = (error as NSError?)?.localizedDescription ?? ""
      #expect(text.contains("name of Part/p1 has the character U+0000"))
    }
  }
#endif
