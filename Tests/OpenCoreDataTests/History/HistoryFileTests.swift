import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// What tracking writes, as another program sees it in the file.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct HistoryFileTests {
  private static let tables = [
    "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, "
      + "ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, ZTOMBSTONE0 BLOB, "
      + "ZTOMBSTONE1 BLOB, ZTOMBSTONE2 BLOB, ZTOMBSTONE3 BLOB )",
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
      + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
      + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
    "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
    "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
    "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
    "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
  ]

  private func schema(_ url: URL) throws -> [String] {
    try Shell.sql(url, "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid")
  }

  /// The rows of history, without the times.
  private func dump(_ url: URL) throws -> [String] {
    try Shell.sql(
      url,
      "SELECT * FROM ACHANGE; SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, "
        + "ZTIMESTAMP FROM ATRANSACTION; SELECT * FROM ATRANSACTIONSTRING; SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000"
    )
  }

  private func columns(_ url: URL) throws -> String? {
    try Shell.sql(url, "SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE = 1 ORDER BY Z_PK DESC LIMIT 1").first
  }

  @Test func tablesAreApples() throws {
    let (url, _) = try HistoryModel.context()
    let schema = try schema(url)
    #expect(schema.suffix(Self.tables.count) == Self.tables)
    #expect(schema[schema.count - Self.tables.count - 1].hasPrefix("CREATE TABLE Z_MODELCACHE"))
    #expect(
      try Shell.sql(url, "SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT") == [
        "16001|CHANGE|0|3", "16002|TRANSACTION|0|2", "16003|TRANSACTIONSTRING|0|1",
      ])
  }

  @Test func trackingBeginsInAStoreThatHadNone() throws {
    let url = try TestModel.temporaryFile()
    let first = TestModel.context(try HistoryModel.coordinator(url, nil))
    try first.performAndWait {
      _ = first.make("Owner", ["name": "O"])
      try first.save()
    }
    try first.persistentStoreCoordinator?.removeAll()
    #expect(try Shell.sql(url, "SELECT * FROM sqlite_master WHERE name LIKE 'A%'").isEmpty)
    let options = [NSPersistentHistoryTrackingKey: NSDictionary()]
    let second = TestModel.context(try HistoryModel.coordinator(url, options))
    #expect(try schema(url).suffix(Self.tables.count) == Self.tables)
    try second.performAndWait {
      try second.one("Owner").setValue("P", forKey: "name")
      try second.save()
    }
    let rows = try Shell.sql(url, "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE")
    #expect(rows == ["1|3|1|1"])
  }

  @Test func tombstoneColumnsAreAddedToATableThatLacksThem() throws {
    let (url, context) = try HistoryModel.context()
    try context.performAndWait { try context.persistentStoreCoordinator?.removeAll() }
    try Shell.sql(url, "ALTER TABLE ACHANGE DROP COLUMN ZTOMBSTONE3; DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 16001")
    _ = try HistoryModel.coordinator(url)
    #expect(try schema(url).contains { $0.hasPrefix("CREATE TABLE ACHANGE") && $0.contains("ZTOMBSTONE3 BLOB") })
    #expect(try Shell.sql(url, "SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT = 16001") == ["16001|CHANGE|0|3"])
  }

  @Test func aSaveIsOneTransactionWithAChangeForEachObject() throws {
    let (url, context) = try HistoryModel.context(author: "me")
    context.name = "background"
    let before = Date().timeIntervalSinceReferenceDate
    try context.performAndWait {
      try context.one("Animal").setValue(2, forKey: "age")
      context.delete(try context.one("Owner"))
      _ = context.make("Owner", ["name": "P"])
      try context.save()
    }
    #expect(
      try Shell.sql(
        url, "SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS IS NULL FROM ACHANGE"
      )
        == [
          "1|16001||0|3|1|1|1", "2|16001||0|1|1|2|1", "3|16001||0|2|2|2|1",
          "4|16001||0|3|2|3|1", "5|16001||1|1|1|3|0", "6|16001||2|3|1|3|1",
        ])
    let process = ProcessInfo.processInfo.processName
    let bundle = Bundle.main.bundleIdentifier ?? process
    let strings = "(SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = "
    #expect(
      try Shell.sql(
        url,
        "SELECT Z_PK, Z_ENT, Z_OPT, \(strings)ZAUTHORTS), \(strings)ZBUNDLEIDTS), \(strings)ZCONTEXTNAMETS), "
          + "\(strings)ZPROCESSIDTS), ZAUTHOR, ZBUNDLEID, ZCONTEXTNAME, ZPROCESSID, ZQUERYGEN FROM ATRANSACTION") == [
          "1|16002||me|\(bundle)||\(process)|||||", "2|16002||me|\(bundle)||\(process)|||||",
          "3|16002||me|\(bundle)|background|\(process)|||||",
        ])
    #expect(try Shell.sql(url, "SELECT COUNT(*) = COUNT(DISTINCT ZNAME) FROM ATRANSACTIONSTRING") == ["1"])
    #expect(
      try Shell.sql(url, "SELECT ZTIMESTAMP >= \(before) FROM ATRANSACTION WHERE Z_PK = 3") == ["1"])
    #expect(
      try Shell.sql(url, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
        == ["6", "3", "\(Set([bundle, process, "me", "background"]).count)"])
  }

  /// Keeper, mother (twice), age, born, name, children, fans: 8 bits of an animal; a dog's are keeper, mother (twice),
  /// walker, age, born, name, breed, chip, children, fans.
  @Test func bitmapsMarkWhatWasChanged() throws {
    let (url, context) = try HistoryModel.context()
    try context.performAndWait {
      let animal = try context.one("Animal"), dog = try context.one("Dog"), owner = try context.one("Owner")
      animal.setValue(2, forKey: "age")
      animal.setValue("B", forKey: "name")
      animal.setValue("good", forKey: "mood")
      try context.save()
      #expect(try columns(url) == "14")
      dog.setValue("Poodle", forKey: "breed")
      dog.setValue(UUID(), forKey: "chip")
      try context.save()
      #expect(try columns(url) == "0180")
      dog.setValue(owner, forKey: "walker")
      try context.save()
      #expect(
        try Shell.sql(url, "SELECT ZENTITY, hex(ZCOLUMNS) FROM ACHANGE WHERE ZTRANSACTIONID = 5 ORDER BY 1")
          == ["2|1000", "3|10"])
      animal.setValue(dog, forKey: "mother")
      try context.save()
      #expect(
        try Shell.sql(url, "SELECT ZENTITY, hex(ZCOLUMNS) FROM ACHANGE WHERE ZTRANSACTIONID = 6 ORDER BY 1")
          == ["1|60", "2|0040"])
      animal.mutableSetValue(forKey: "fans").add(owner)
      try context.save()
      #expect(
        try Shell.sql(url, "SELECT ZENTITY, hex(ZCOLUMNS) FROM ACHANGE WHERE ZTRANSACTIONID = 7 ORDER BY 1")
          == ["1|01", "3|20"])
    }
  }

  @Test func tombstonesKeepValuesInTheRowsOwnForm() throws {
    let (url, context) = try HistoryModel.context()
    try context.performAndWait {
      let dog = try context.one("Dog")
      dog.setValue("changed and deleted at once", forKey: "breed")
      context.delete(dog)
      context.delete(try context.one("Animal"))
      context.delete(try context.one("Owner"))
      try context.save()
    }
    let tombstones = (0...3).map { "quote(ZTOMBSTONE\($0))" }.joined(separator: ", ")
    #expect(
      try Shell.sql(url, "SELECT ZENTITY, \(tombstones) FROM ACHANGE WHERE ZCHANGETYPE = 2 ORDER BY ZENTITY") == [
        "1|NULL|'A'|NULL|NULL", "2|5.5|'Collie'|X'00112233445566778899AABBCCDDEEFF'|'D'", "3|NULL|NULL|NULL|NULL",
      ])
    #expect(
      try Shell.sql(
        url, "SELECT COUNT(*) FROM ACHANGE WHERE ZCHANGETYPE < 2 AND COALESCE(ZTOMBSTONE0, ZTOMBSTONE1) > 0")
        == ["0"])
  }

  @Test func withoutTheOptionHistoryStaysAsItIs() throws {
    let (url, _) = try HistoryModel.context()
    let before = (try dump(url), try schema(url))
    let context = TestModel.context(try HistoryModel.coordinator(url, nil))
    try context.performAndWait {
      try context.one("Owner").setValue("P", forKey: "name")
      context.delete(try context.one("Dog"))
      _ = context.make("Animal", ["name": "N"])
      try context.save()
    }
    #expect(try dump(url) == before.0)
    #expect(try schema(url) == before.1)
    #expect(try Shell.sql(url, "SELECT ZNAME FROM ZOWNER") == ["P"])
  }

  @Test func aFailedSaveLeavesNoTransaction() throws {
    let (url, context) = try HistoryModel.context()
    let before = try dump(url)
    try context.performAndWait {
      let animal = try context.one("Animal")
      animal.setValue("mine", forKey: "name")
      try Shell.sql(url, "UPDATE ZANIMAL SET Z_OPT = 7 WHERE Z_PK = \(animal.key)")
      #expect(throws: NSError.self) { try context.save() }
    }
    #expect(try dump(url) == before)
  }

  @Test func batchUpdatesAreNotedRowByRow() throws {
    let (url, context) = try HistoryModel.context(author: "batch")
    try context.performAndWait {
      let request = NSBatchUpdateRequest(entityName: "Animal")
      request.propertiesToUpdate = ["age": 9, "name": "X"]
      request.resultType = .updatedObjectsCountResultType
      #expect((try context.execute(request) as? NSBatchUpdateResult)?.result as? NSNumber == 2)
      request.predicate = NSPredicate(format: "name == 'nobody'")
      _ = try context.execute(request)
    }
    #expect(
      try Shell.sql(
        url,
        "SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, hex(ZCOLUMNS), (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = "
          + "ZAUTHORTS) FROM ACHANGE JOIN ATRANSACTION T ON ZTRANSACTIONID = T.Z_PK WHERE T.Z_PK > 2 ORDER BY ZENTITY")
        == ["1|1|1|14|batch", "1|2|2|0A00|batch"])
  }

  @Test func eachChangeIsOneStatementAndWithoutTrackingThereIsNone() throws {
    for options in [HistoryModel.tracking, nil] {
      let context = TestModel.context(try HistoryModel.coordinator(URL(fileURLWithPath: "/dev/null"), options))
      let statements = try context.performAndWait {
        for _ in 0..<20 { _ = context.make("Owner") }
        return try StatementLog.collect(thisThread: true) { try context.save() }.statements
      }
      let own = statements.filter { $0.contains("ACHANGE") || $0.contains("ATRANSACTION") }
      // Besides the rows, the transaction, and their keys: of changes, transactions and strings the last one is read once.
      #expect(statements.count - own.count <= (options == nil ? 30 : 31))
      #expect(own.filter { $0.hasPrefix("INSERT INTO ACHANGE") }.count == (options == nil ? 0 : 20))
      #expect(own.count <= (options == nil ? 0 : 30))
    }
  }

  @Test func compositesAndTransformedValues() throws {
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [TestModel.attribute("x", .doubleAttributeType), TestModel.attribute("y", .doubleAttributeType)]
    let words = TestModel.attribute("words", .transformableAttributeType)
    words.preservesValueInHistoryOnDeletion = true
    words.valueTransformerName = NSValueTransformerName.secureUnarchiveFromDataTransformerName.rawValue
    let data = TestModel.attribute("data", .binaryDataAttributeType)
    (data.preservesValueInHistoryOnDeletion, data.allowsExternalBinaryDataStorage) = (true, true)
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Thing", [place, words, data, TestModel.attribute("z", .doubleAttributeType)])]
    let url = try TestModel.temporaryFile()
    let context = TestModel.context(try HistoryModel.coordinator(url, model: model))
    try context.performAndWait {
      let thing = context.make("Thing", ["words": ["a", "b"] as NSArray, "data": Data([1, 2])])
      try context.save()
      thing.setValue(["x": 1.5], forKey: "place")
      try context.save()
      // data, place, words, z
      #expect(try columns(url) == "40")
      context.delete(thing)
      try context.save()
      let all = try context.transactions(.fetchHistory(after: .distantPast))
      #expect(all[1].changes?.first?.updatedProperties == [model.entitiesByName["Thing"]!.propertiesByName["place"]!])
      let tombstone = try #require(all[2].changes?.first?.tombstone)
      #expect(tombstone["words"] as? NSArray == ["a", "b"] as NSArray)
      // What may be in a file of its own does not outlive it.
      #expect(tombstone["data"] == nil)
    }
  }

  @Test func permanentIDsAreNoTransaction() throws {
    let (url, context) = try HistoryModel.context()
    let before = try dump(url)
    try context.performAndWait {
      let store = try #require(context.persistentStoreCoordinator?.sqlStores.first)
      _ = try store.reserveKeys([context.make("Owner")])
    }
    #expect(try dump(url) == before)
  }
}

extension NSPersistentStoreCoordinator {
  func removeAll() throws { for store in persistentStores { try remove(store) } }
}
