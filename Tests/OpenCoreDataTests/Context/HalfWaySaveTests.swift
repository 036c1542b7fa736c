import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A save of which SQLite refuses a part, late: the store is as it was, and the changes are still there.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct HalfWaySaveTests {
  private func rows(_ url: URL) throws -> [String] {
    try Shell.sql(
      url,
      """
      SELECT Z_PK, Z_OPT, ZNAME, ZAGE, ZBOSS FROM ZPERSON ORDER BY 1; SELECT * FROM ZCLUB ORDER BY 1;
      SELECT * FROM Z_PRIMARYKEY ORDER BY 1; SELECT count(*) FROM \(try joinTable(url))
      """)
  }

  private func joinTable(_ url: URL) throws -> String {
    let names = try Shell.sql(
      url, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*MEMBERS'")
    return try #require(names.first)
  }

  @Test(arguments: ["INSERT ON ZCLUB", "UPDATE ON ZPERSON", "DELETE ON ZPERSON", "INSERT ON JOIN"])
  func nothingIsWritten(_ event: String) throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try Society.coordinator(url: url)
    try coordinator.inContext { context in
      let people = (0..<4).map { context.make("Person", ["name": "P\($0)", "number": $0]) }
      try context.save()
      let club = context.make("Club", ["name": "Chess"])
      people[0].setValue(people[1], forKey: "boss")
      people[2].setValue(40, forKey: "age")
      people[2].mutableSetValue(forKey: "clubs").add(club)
      context.delete(people[3])
      let place = event.replacingOccurrences(of: "JOIN", with: try joinTable(url))
      try Shell.sql(url, "CREATE TRIGGER refuse BEFORE \(place) BEGIN SELECT RAISE(ABORT, 'not today'); END")
      let before = try rows(url)
      for _ in 0..<2 {
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.domain == NSCocoaErrorDomain && error?.userInfo[NSFilePathErrorKey] as? String == url.path)
        #expect(error?.localizedFailureReason?.contains("not today") == true, "\(String(describing: error))")
        #expect(try rows(url) == before)
        #expect(context.insertedObjects == [club] && context.deletedObjects == [people[3]])
        #expect(club.objectID.isTemporaryID && people[2].isUpdated && people[2].number("age") == 40)
        #expect(people[0].one("boss") === people[1] && people[2].many("clubs") == [club])
      }
      try Shell.sql(url, "DROP TRIGGER refuse")
      try context.save()
      #expect(!context.hasChanges && !club.objectID.isTemporaryID)
    }
    try coordinator.inContext { context throws in
      #expect(try context.names("Person") == ["P0", "P1", "P2"])
      #expect(try context.named("P2").many("clubs").map { $0.text("name") } == ["Chess"])
      #expect(try context.named("P0").one("boss")?.text("name") == "P1")
    }
  }
}
