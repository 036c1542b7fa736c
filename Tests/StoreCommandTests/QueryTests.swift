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
        id       code  isNew  owner.name  owner      tags.@count  price  link
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
    #expect(tool.output == "id,code\nBook/p2,B2\n")
  }

  @Test func everyTypeAsJSON() throws {
    let tool = try query("Book", "--predicate", "code == 'B1'", "--format", "json")
    let rows = try JSONSerialization.jsonObject(with: Data(tool.output.utf8)) as? [[String: Any]]
    let row = try #require(rows?.first)
    #expect(rows?.count == 1 && row["id"] as? String == "Book/p1")
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
    #expect(tool.output.contains("?1 = text(\"Ada\")\n") && tool.output.contains("SEARCH "))
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
    #expect(try query("Item", "--limit", "0").status == 64)
  }

  @Test func aStoreWithoutCopyOfItsModelNeedsOne() throws {
    try files.damage("DROP TABLE Z_MODELCACHE")
    let tool = try query("Item", "--count")
    #expect(tool.status == 1 && tool.errors.hasSuffix("it keeps no copy of its own. Give one with --model.\n"))
    #expect(try query("Item", "--count", "--model", files.model).output == "3\n")
  }
}
