import Foundation
import Testing
import ToolProcess

/// `coredata model diff`.
@Suite struct DiffTests {
  private let files: ModelFiles

  init() throws { files = try ModelFiles() }

  private func diff(_ before: String, _ after: String, _ options: String...) throws -> Tool {
    try Tool(["model", "diff", files.model(named: "A", before), files.model(named: "B", after)] + options)
  }

  private let before = """
    <entity name="Volume" representedClassName="Volume">
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="pages" optional="YES" attributeType="Integer 16"/>
      <attribute name="isbn" optional="YES" attributeType="String"/>
    </entity>
    <entity name="Shelf" representedClassName="Shelf"/>
    """

  private let after = """
    <entity name="Book" representedClassName="Book" elementID="Volume">
      <attribute name="heading" optional="YES" attributeType="String" elementID="title"/>
      <attribute name="pages" attributeType="Integer 64" defaultValueString="0"/>
      <attribute name="price" optional="YES" attributeType="Decimal"/>
      <fetchIndex name="byPages"><fetchIndexElement property="pages" type="Binary" order="ascending"/></fetchIndex>
      <uniquenessConstraints><uniquenessConstraint><constraint value="heading"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Author" representedClassName="Author"/>
    """

  @Test func text() throws {
    let tool = try diff(before, after)
    #expect(tool.status == 0, "\(tool.errors)")
    #expect(
      tool.output == """
        \(files.path("A.xcdatamodel")) -> \(files.path("B.xcdatamodel"))

        + Author
        > Book (was Volume)
            class: Volume -> Book
            indexes: none -> byPages (pages)
            unique: none -> (heading)
            > heading (was title)
            ~ pages
                type: Integer 16 -> Integer 64
                default: none -> 0
                optional: yes -> no
            + price: Decimal, optional
            - isbn: String, optional
        - Shelf

        Version hashes that differ: Author, Book, Shelf

        A lightweight migration can do it, provided that:
          Book: no two objects may be equal in heading, which the source does not demand

        """)
  }

  @Test func json() throws {
    let json = try diff(before, after, "--json").json()
    let migration = try #require(json["migration"] as? [String: Any])
    #expect(migration["isNeeded"] as? Bool == true && migration["isLightweight"] as? Bool == true)
    let entities = try #require(json["entities"] as? [[String: Any]])
    #expect(entities.map { $0["change"] as? String } == ["added", "renamed", "removed"])
    #expect(entities[1]["sourceName"] as? String == "Volume")
    let properties = try #require(entities[1]["properties"] as? [[String: Any]])
    #expect(properties.map { $0["name"] as? String } == ["heading", "pages", "price", "isbn"])
  }

  @Test func aModelAndItsStoreAreTheSame() throws {
    let model = try files.model(before)
    let tool = try Tool("model", "diff", model, files.store(of: model))
    #expect(tool.output.contains("The models are the same.\n\nNo migration is needed"))
  }

  @Test func whatNoStoreDependsOnNeedsNoMigration() throws {
    let tool = try diff(
      "<entity name='A'><attribute name='x' attributeType='String'/></entity>",
      "<entity name='A' representedClassName='A'><attribute name='x' attributeType='String' minValueString='2'/></entity>"
    )
    #expect(
      tool.output.contains("~ A\n    class: NSManagedObject -> A\n    ~ x\n        constraints: none -> min length 2"))
    #expect(tool.output.hasSuffix("No migration is needed: stores of the one open with the other.\n"))
  }

  @Test func reasonsAgainstALightweightMigration() throws {
    let tool = try diff(
      """
      <entity name="A"><attribute name="date" optional="YES" attributeType="String"/></entity>
      """,
      """
      <entity name="A">
        <attribute name="date" optional="YES" attributeType="Date"/>
        <attribute name="name" attributeType="String"/>
      </entity>
      """, "--json")
    let migration = try #require(try tool.json()["migration"] as? [String: Any])
    #expect(migration["isLightweight"] as? Bool == false)
    let obstacles = try #require(migration["obstacles"] as? [[String: Any]])
    #expect(obstacles.map { $0["code"] as? Int } == [134190, 134110])
    #expect(obstacles.map { $0["property"] as? String } == ["date", "name"])
    #expect(obstacles[0]["reason"] as? String == "it was String and is Date, and String does not turn into Date")
  }
}
