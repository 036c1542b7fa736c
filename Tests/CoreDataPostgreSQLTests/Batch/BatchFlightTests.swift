#if PostgreSQL
  import CoreData
  import Testing

  @testable import CoreDataPostgreSQL

  @Suite("Flights of batch requests", .needsServer)
  struct BatchFlightTests {
    private static func products(_ range: Range<Int>, _ values: [String: Any] = [:]) -> [[String: Any]] {
      range.map { values.merging(["tag": "p\($0)", "name": "N\($0)", "code": $0]) { first, _ in first } }
    }

    private func filled(_ model: NSManagedObjectModel = BatchModels.products()) throws -> BatchWorld {
      let world = try BatchWorld(model)
      try world.inContext { context in
        context.make("Shop", ["tag": "s", "name": "S"])
        try context.save()
        _ = try context.insertBatch("Product", Self.products(0..<10))
        _ = try context.insertBatch("Shop", [["tag": "t", "name": "T"]])
      }
      return world
    }

    @Test func fewRowsAreOneInsertInOneFlight() throws {
      let world = try filled()
      let sent = try world.sending {
        try world.inContext { try $0.insertBatch("Product", Self.products(10..<110)) }
      }
      #expect(sent.result == 100)
      #expect(sent.flights == 1)
      #expect(sent.statements.count { $0.hasPrefix("INSERT INTO \"Product\"") } == 1)
      #expect(!sent.statements.contains { $0.hasPrefix("COPY") })
      #expect(try world.texts("SELECT count(*)::text FROM \"Product\"") == ["110"])
    }

    @Test func manyRowsAreCopied() throws {
      let world = try filled()
      let sent = try world.sending {
        try world.inContext { try $0.insertBatch("Product", Self.products(10..<3_010)) }
      }
      #expect(sent.result == 3_000)
      // BEGIN with the keys, the COPY, the notes of changes with COMMIT.
      #expect(sent.flights == 3)
      #expect(sent.statements.count { $0.hasPrefix("COPY \"Product\"") } == 1)
      #expect(!sent.statements.contains { $0.hasPrefix("INSERT INTO \"Product\"") })
      #expect(try world.texts("SELECT count(DISTINCT code)::text FROM \"Product\"") == ["3010"])
      // Keys that were taken and not used go to the next one.
      let next = try world.sending {
        try world.inContext { try $0.insertBatch("Product", Self.products(4_000..<4_100)) }
      }
      #expect(next.result == 100)
      #expect(next.flights == 1)
      #expect(try world.texts("SELECT count(DISTINCT \"_pk\")::text FROM \"Product\"") == ["3110"])
    }

    /// More than the keys that are taken for the first COPY.
    @Test func oneCopyFollowsAnother() throws {
      let world = try filled()
      let sent = try world.sending {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "Shop") { (row: NSMutableDictionary) in
          row.setValue("S\(number)", forKey: "name")
          number += 1
          return number > 20_000
        }
        request.resultType = .count
        return try world.inContext { try ($0.execute(request) as? NSBatchInsertResult)?.result as? Int }
      }
      #expect(sent.result == 20_000)
      #expect(sent.statements.count { $0.hasPrefix("COPY \"Shop\"") } == 2)
      #expect(sent.flights == 5)
      #expect(try world.texts("SELECT count(DISTINCT name)::text FROM \"Shop\"") == ["20002"])
      let noted =
        "SELECT count(DISTINCT (n, pk))::text FROM \"_change\" WHERE kind = 'i' GROUP BY xid ORDER BY xid DESC"
      #expect(try world.texts(noted).first == "20000")
    }

    @Test func rowsThatMustBeUniqueAreCopiedToAPrivateTable() throws {
      let world = try filled(BatchModels.products(unique: [["code"]]))
      let sent = try world.sending {
        let rows = Self.products(5..<3_005, ["name": "new"])
        return try world.inContext(NSMergePolicy.overwrite) { try $0.insertBatch("Product", rows) }
      }
      #expect(sent.result == 3_000)
      #expect(sent.statements.count { $0.hasPrefix("COPY \"_rows\"") } == 1)
      // However many rows there are, and however many are taken.
      #expect(sent.flights <= 8)
      #expect(try world.texts("SELECT count(*)::text FROM \"Product\" WHERE name = 'new'") == ["3000"])
      #expect(try world.texts("SELECT count(*)::text FROM \"Product\"") == ["3005"])
    }

    /// SQLite's decimals have 15 digits; those of a server have all.
    @Test(arguments: [1, 1_000]) func decimalsHaveAllDigits(count: Int) throws {
      let world = try filled()
      let price = try #require(Decimal(string: "12345678901234567890.123"))
      let rows = Self.products(10..<10 + count, ["price": price])
      #expect(try world.inContext { try $0.insertBatch("Product", rows) } == count)
      let texts = try world.texts("SELECT DISTINCT price::text FROM \"Product\" WHERE price IS NOT NULL")
      #expect(texts == ["12345678901234567890.123"])
    }

    @Test func anUpdateIsOneFlight() throws {
      let world = try filled()
      let sent = try world.sending {
        try world.inContext { try $0.updateBatch("Product", "code < 5", ["stock": 9]) }
      }
      #expect(sent.result == 5)
      #expect(sent.flights == 1)
      #expect(try world.texts("SELECT DISTINCT stock::text FROM \"Product\" WHERE code < 5") == ["9"])
    }

    @Test func aDeletionTakesTwoFlightsWhereItCascadesNot() throws {
      let world = try filled()
      let sent = try world.sending {
        try world.inContext { try $0.deleteBatch("Product", "code < 5") }
      }
      #expect(sent.result == 5)
      #expect(sent.flights <= 2)
    }

    /// What other processes read, and history.
    @Test func changesAreNoted() throws {
      let world = try filled(BatchModels.products(unique: [["code"]]))
      func noted() throws -> [String] {
        try world.texts(
          """
          SELECT concat_ws(' ', kind, e.name, count(*), count(DISTINCT n)) FROM "_change" c \
          JOIN "_entity" e ON e.number = c.ent JOIN (SELECT xid FROM "_commit" ORDER BY xid DESC LIMIT 1) x USING (xid) \
          GROUP BY kind, e.name ORDER BY 1
          """)
      }
      try world.inContext(NSMergePolicy.mergeByPropertyObjectTrump) { context in
        _ = try context.insertBatch("Product", Self.products(8..<12))
        #expect(try noted() == ["i Product 2 2", "u Product 2 2"])
        let shop = try #require(try context.all("Shop", "tag == 's'").first)
        _ = try context.updateBatch("Product", "code < 3", ["shop": shop.objectID, "weight": 2.5])
        #expect(try noted() == ["t Product 3 3", "t Shop 2 2", "u Product 3 3"])
        _ = try context.updateBatch("Shop", "tag == 's'", ["name": "renamed"])
        #expect(try noted() == ["t Product 3 3", "u Shop 1 1"])
        _ = try context.deleteBatch("Product", "code < 2")
        #expect(try noted() == ["d Product 2 2", "t Shop 2 2"])
        _ = try context.deleteBatch("Shop", "tag == 's'")
        #expect(try noted() == ["d Shop 1 1", "t Product 1 1", "u Product 1 1"])
      }
    }
  }
#endif
