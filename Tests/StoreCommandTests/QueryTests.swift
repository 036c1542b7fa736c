import Foundation
import Testing
import ToolProcess

/// `coredata store query`.
@Suite struct QueryTests {
  private let files: StoreFiles

  init() throws { files = try StoreFiles() }

  private func query(_ arguments: String...) throws -> Tool {
    let before = try files.contents()
    defer { #expect((try? files.contents()) == before) }
    return try Tool(["store", "query", files.store.path] + arguments)
  }

  @Test func predicateSortKeysAndKeyPaths() throws {
    let tool = try query(
      "Item", "--predicate", "owner.name BEGINSWITH 'A' AND ANY tags.name == 'old'", "--sort", "-isNew,title",
      "--columns", "code,isNew,owner.name,owner,tags.@count,price,link")
    #expect(
      tool.output
        == """
        @id      code  isNew  owner.name  owner      tags.@count  price  link
        -------  ----  -----  ----------  ---------  -----------  -----  -----------------------
        Book/p1  B1    true   Ada         Person/p1            2  12.34  https://example.com/a?b=c
        Book/p2  B2    false  Ada         Person/p1            2  12.34  https://example.com/a?b=c

        2 objects

        """.replacingOccurrences(of: "-----------------------\n", with: "----\n"), "\(tool.output) \(tool.errors)")
  }

  @Test func limitOffsetAndCount() throws {
    #expect(try query("Item", "--count").output == "3\n")
    #expect(try query("Item", "--count", "--predicate", "pages > 30000", "--limit", "1").output == "1\n")
    let tool = try query(
      "Item", "--sort", "-code", "--limit", "1", "--offset", "1", "--columns", "code", "--format", "csv")
    #expect(tool.output == "@id,code\nBook/p2,B2\n")
  }

  @Test func everyTypeAsJSON() throws {
    let tool = try query("Book", "--predicate", "code == 'B1'", "--format", "json")
    let rows = try JSONSerialization.jsonObject(with: Data(tool.output.utf8)) as? [[String: Any]]
    let row = try #require(rows?.first)
    #expect(rows?.count == 1 && row["@id"] as? String == "Book/p1")
    #expect(row["title"] as? String == "Book 1 é\n\u{1F600}" && row["isbn"] as? String == "")
    #expect(row["huge"] as? Int64 == Int64.max && row["big"] as? Int == -70000 && row["isNew"] as? Bool == true)
    #expect(row["added"] as? String == "2024-05-11T14:34:11.669581Z")
    #expect(row["rating"] as? Double == 0.1 && row["price"] as? String == "12.34")
    #expect(row["cover"] as? String == Data([0, 1, 2, 255]).base64EncodedString() && row["raw"] as? String == "")
    #expect(row["key"] as? String == "173EF017-8551-4A76-AD07-19D8830FDC81" && row["owner"] as? String == "Person/p1")
    #expect(tool.output.contains("\"share\": 0.3,"))
  }

  @Test func theStatementExplained() throws {
    let tool = try query("Item", "--predicate", "owner.name == 'Ada'", "--columns", "code", "--explain")
    #expect(tool.output.hasPrefix("SELECT t0.Z_PK, t0.Z_ENT, t0.ZCODE FROM ZITEM t0 JOIN ZPERSON t1"))
    #expect(tool.output.contains("?1 = 'Ada'\n") && tool.output.contains("SEARCH "))
  }

  @Test func mistakesAreShown() throws {
    let predicate = try query("Item", "--predicate", "title >< 3")
    #expect(predicate.status == 1 && predicate.errors.contains("title >< 3\n       ^"), "\(predicate.errors)")
    #expect(
      try query("Items").errors.contains("has no entity “Items”. It has Book, Card, Chapter, Film, Item, Person, Tag."))
    for arguments in [["--columns", "nothing"], ["--sort", "nothing"], ["--predicate", "nothing == 1"]] {
      let tool = try Tool(["store", "query", files.store.path, "Item"] + arguments)
      #expect(tool.status == 1 && tool.errors == "Error: keypath nothing not found in entity Item\n")
    }
    let wrong = [
      ("--limit", "-3", "--limit must be 0 or more."), ("--offset", "-1", "--offset must be 0 or more."),
      ("--predicate", " ", "The predicate is empty."),
    ]
    for (option, value, message) in wrong {
      let tool = try query("Item", option, value)
      #expect(tool.status == 64 && tool.errors.contains(message), "\(tool.errors)")
    }
    #expect(try query("Item", "--limit", "0", "--columns", "code", "--format", "csv").output.contains("F"))
  }

  @Test func aStoreWithoutCopyOfItsModelNeedsOne() throws {
    try files.damage("DROP TABLE Z_MODELCACHE")
    let tool = try query("Item", "--count")
    #expect(tool.status == 1 && tool.errors.hasSuffix("it keeps no copy of its own. Give one with --model.\n"))
    #expect(try query("Item", "--count", "--model", files.model).output == "3\n")
  }

  @Test(arguments: [
    (#"key == "173ef017-8551-4a76-ad07-19d8830fdc82""#, 1),
    (#""173EF017-8551-4A76-AD07-19D8830FDC82" == key"#, 1),
    (#"key IN {"173EF017-8551-4A76-AD07-19D8830FDC81", "173EF017-8551-4A76-AD07-19D8830FDC82"}"#, 2),
    (#"key != "173EF017-8551-4A76-AD07-19D8830FDC82" AND key != nil"#, 1),
    (#"added > "2024-05-11""#, 2), (#"added < "2024-05-11""#, 0),
    (#"added == "2024-05-11T14:34:11.669581Z""#, 2), (#"added == "2024-05-11T16:34:11.669581+02:00""#, 2),
    (#"added BETWEEN {"2024-05-11 14:34", "2024-05-11T14:35:00"}"#, 2),
    (#"self == "Book/p1""#, 1), (#"SELF IN {"Book/p1", "Film/p3"}"#, 2), (#"owner == "Person/p2""#, 1),
    (#"owner != "Person/p2""#, 2), (#"owner.favourite.owner == "Person/p2""#, 2), (#"tags CONTAINS "Tag/p2""#, 2),
    (#"ANY tags == "Tag/p2""#, 2), (#"ANY owner.items.added > "2024-05-11""#, 2),
    (#"SUBQUERY(fans, $f, $f == "Person/p1" AND ANY $f.items.added > "2024-05-11").@count > 0"#, 1),
    (#"owner.items.@max.added > "2024-05-11""#, 2), (#"added > 737130851 AND code == "B1""#, 1),
  ]) func textsStandForDatesUUIDsAndObjects(_ predicate: String, _ count: Int) throws {
    let tool = try query("Item", "--count", "--predicate", predicate)
    #expect(tool.output == "\(count)\n", "\(tool.errors)")
  }

  @Test(arguments: [
    (#"key == "1""#, "key is compared with “1”. Expected a UUID such as"),
    (#"added > "2024""#, "added is compared with “2024”. Expected a date such as 2024-05-10 or"),
    (#"added > "2024-13-45""#, "added is compared with “2024-13-45”. Expected a date"),
    (#"owner == "Ada""#, "an object of Person is compared with “Ada”. Expected its name, such as Person/p1."),
    (#"owner == "Tag/p1""#, "an object of Person is compared with “Tag/p1”. Expected one of Person."),
    (#"self == "Toy/p1""#, "there is no entity “Toy”."),
  ]) func textsThatStandForNothing(_ predicate: String, _ message: String) throws {
    let tool = try query("Item", "--count", "--predicate", predicate)
    #expect(tool.status == 1 && tool.errors.contains(message), "\(tool.errors)")
  }

  @Test func compositesArePrintedWhole() throws {
    let model = files.folder.appending(path: "Places.xcdatamodel")
    try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
    try Data(
      """
      <model><entity name="Shop"><attribute name="address" optional="YES" attributeType="Composite" composite="Address"/>
      <relationship name="next" optional="YES" maxCount="1" destinationEntity="Shop" inverseName="last" inverseEntity="Shop"/>
      <relationship name="last" optional="YES" maxCount="1" destinationEntity="Shop" inverseName="next" inverseEntity="Shop"/>
      </entity><composite name="Address"><attribute name="street" optional="YES" attributeType="String"/>
      <attribute name="since" optional="YES" attributeType="Date"/></composite></model>
      """.utf8
    ).write(to: model.appending(path: "contents"))
    let input = files.path("shops.json"), store = files.path("Shops.sqlite")
    try Data(
      #"{"Shop": [{"attributes": {"address": {"street": "A", "since": "2020-01-01T00:00:00Z"}}}]}"#.utf8
    ).write(to: URL(fileURLWithPath: input))
    #expect(try Tool("store", "import", store, input, "--model", model.path).errors == "")
    func query(_ columns: String, _ format: String) throws -> String {
      try Tool(
        "store", "query", store, "Shop", "--columns", columns, "--format", format, "--predicate",
        #"address.since == "2020-01-01""#
      ).output
    }
    #expect(
      try query("address,next.address,address.street", "json")
        == #"[\#n{"@id": "Shop/p1", "address": {"since": "2020-01-01T00:00:00Z", "street": "A"}, "#
        + #""next.address": {"since": null, "street": null}, "address.street": "A"}\#n]\#n"#)
    #expect(
      try query("address", "csv") == "@id,address.since,address.street\nShop/p1,2020-01-01T00:00:00Z,A\n")
  }
}
