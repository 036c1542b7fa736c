import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// The order in which a save writes rows: by table and key, whatever the order of the changes.
@Suite struct RowOrderTests {
  @Test func changesInAnyOrderAreWrittenInTheOrderOfKeys() throws {
    let file = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: file)
    let context = TestModel.context(coordinator)
    let seed = UInt64.random(in: 1 ... .max)
    print("row order: seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try context.performAndWait { () throws in
      for number in 0..<40 {
        _ = context.make("Tag", ["name": "\(number)"])
        _ = context.make("Author", ["name": "\(number)"])
      }
      try context.save()
      let plain = try PlainDatabase(file)
      _ = try plain.rows("CREATE TABLE LOG (NUMBER INTEGER PRIMARY KEY, NAME TEXT, KEY INTEGER)")
      for table in ["ZTAG", "ZAUTHOR"] {
        for event in ["UPDATE", "DELETE"] {
          _ = try plain.rows(
            "CREATE TRIGGER LOG_\(event)_\(table) AFTER \(event) ON \(table) BEGIN "
              + "INSERT INTO LOG (NAME, KEY) VALUES ('\(event) \(table)', OLD.Z_PK); END")
        }
      }
      var objects = try context.all("Tag") + context.all("Author")
      objects.shuffle(using: &random)
      for object in objects[..<50] { object.setValue("changed", forKey: "name") }
      for object in objects[50...] { context.delete(object) }
      try context.save()
      var groups: [String: [Int64]] = [:]
      for row in try plain.rows("SELECT NAME, KEY FROM LOG ORDER BY NUMBER") {
        groups[row[0].text ?? "", default: []].append(row[1].integer ?? 0)
      }
      #expect(groups.count == 4 && groups.values.reduce(0) { $0 + $1.count } == 80)
      for (name, keys) in groups { #expect(keys == keys.sorted(), "\(name)") }
      #expect(try context.all("Tag").count + context.all("Author").count == 50)
    }
  }
}
