import Foundation
import OpenCoreData
import Testing
import ToolProcess

/// Which of its two ways `coredata store import` takes, as its statements tell.
@Suite struct StreamedImportTests {
  private static let owners = 100, items = 10_000
  private let files: StoreFiles

  init() throws {
    files = try StoreFiles(withStore: false)
    let folder = files.folder.appending(path: "Things.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let model = """
      <model><entity name="Owner"><attribute name="name" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Item" inverseName="owner" inverseEntity="Item"/>
      </entity><entity name="Item"><attribute name="number" attributeType="Integer 64"/>
      <attribute name="date" optional="YES" attributeType="Date"/><attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="items" inverseEntity="Owner"/>
      </entity></model>
      """
    try Data(model.utf8).write(to: folder.appending(path: "contents"))
  }

  /// - Parameter isWhole: whether the owners have their items, too, as in an export.
  private func document(isWhole: Bool) throws -> String {
    let items = (0..<Self.items).map { number in
      let text = number % 7 == 0 ? "null" : "\"“\(number)” \\\"quoted\\\"\""
      return
        "{\"@id\": \"Item/p\(number + 1)\", \"attributes\": {\"date\": \"2024-05-10T18:14:\(10 + number % 50).\(number % 9)5Z\", "
        + "\"number\": \(number), \"text\": \(text)}, \"relationships\": {\"owner\": \"Owner/p\(number % Self.owners + 1)\"}}"
    }
    let owners = (0..<Self.owners).map { number in
      let members = stride(from: number, to: Self.items, by: Self.owners).map { "\"Item/p\($0 + 1)\"" }
      return "{\"@id\": \"Owner/p\(number + 1)\", \"attributes\": {\"name\": \"owner \(number)\"}, "
        + "\"relationships\": {\(isWhole ? "\"items\": [\(members.joined(separator: ", "))]" : "")}}"
    }
    let file = files.path("input.json")
    try Data("{\"Item\": [\(items.joined(separator: ",\n"))], \"Owner\": [\(owners.joined(separator: ",\n"))]}".utf8)
      .write(to: URL(fileURLWithPath: file))
    return file
  }

  /// A document that says everything makes no objects of the whole: the index of a new table comes after its rows. One that
  /// leaves a side out is imported by objects, each side of which follows the other.
  @Test(arguments: [true, false]) func whatSaysEverythingIsStreamed(isWhole: Bool) throws {
    let input = try document(isWhole: isWhole), model = files.path("Things.xcdatamodel")
    let tool = try Tool(
      ["store", "import", files.store.path, input, "--model", model], environment: ["COREDATA_SQLDEBUG": "1"])
    #expect(tool.output == "Imported \(Self.items + Self.owners) objects\n", "\(tool.errors.suffix(2000))")
    let statements = tool.errors.split(separator: "\n").filter { $0.contains("sql: ") }
    let rows = statements.indices.filter { statements[$0].contains("INSERT INTO ZITEM") }
    #expect(rows.count == Self.items)
    let made = try #require(statements.lastIndex { $0.contains("CREATE INDEX ZITEM_ZOWNER_INDEX") })
    #expect((made > rows.last ?? 0) == isWhole)
    #expect(statements.contains { $0.contains("DROP INDEX") } == isWhole)
    // Both give the same store.
    let exported = try Tool("store", "export", files.store.path)
    let text = exported.output
    #expect(exported.status == 0 && text.contains("\"date\": \"2024-05-10T18:14:13.35Z\""))
    let whole = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    let expected = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: document(isWhole: true))))
    #expect(whole == expected as? NSDictionary)
    #expect(try Tool("store", "verify", files.store.path).status == 0)
  }
}
