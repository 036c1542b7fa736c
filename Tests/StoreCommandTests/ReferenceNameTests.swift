import Foundation
import Testing
import ToolProcess

/// The name of the reference in queries, exports and imports, beside properties that are named `id`.
@Suite struct ReferenceNameTests {
  private let files: StoreFiles
  private let model: String

  init() throws {
    files = try StoreFiles(withStore: false)
    model = files.path("Cards.xcdatamodel")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    // Names that differ in case alone, reserved words of SQL and of the export's own form, and a relationship `id`.
    let text = """
      <model><entity name="Card"><attribute name="id" optional="YES" attributeType="Integer 64"/>
      <attribute name="ID" optional="YES" attributeType="String"/>
      <attribute name="entity" optional="YES" attributeType="String"/>
      <attribute name="select" optional="YES" attributeType="String"/>
      <attribute name="attributes" optional="YES" attributeType="String"/>
      <relationship name="slips" optional="YES" toMany="YES" destinationEntity="Slip" inverseName="id"/></entity>
      <entity name="Slip"><attribute name="Id" optional="YES" attributeType="String"/>
      <relationship name="id" optional="YES" maxCount="1" destinationEntity="Card" inverseName="slips"/></entity></model>
      """
    try Data(text.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    let input = """
      {"Card": [{"@id": "a", "attributes": {"id": 7, "ID": "x", "entity": "e", "select": "s", "attributes": "t"}}],
      "Slip": [{"@id": "b", "attributes": {"Id": "y"}, "relationships": {"id": "a"}}]}
      """
    try importing(input, "cards.json", into: "Cards.sqlite")
  }

  private func importing(_ text: String, _ name: String, into store: String, _ arguments: String...) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: files.path(name)))
    let tool = try Tool(
      ["store", "import", files.path(store), files.path(name), "--model", model] + arguments)
    #expect(tool.status == 0, "\(tool.errors)")
  }

  private func output(_ arguments: String...) throws -> String {
    let tool = try Tool(["store"] + arguments)
    #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
    return tool.output
  }

  @Test func anAttributeNamedIDIsBesideTheReference() throws {
    let store = files.path("Cards.sqlite")
    #expect(
      try output("query", store, "Card", "--format", "json")
        == #"[\#n{"@id": "Card/p1", "ID": "x", "attributes": "t", "entity": "e", "id": 7, "select": "s"}\#n]\#n"#)
    #expect(
      try output("query", store, "Card", "--format", "csv")
        == "@id,ID,attributes,entity,id,select\nCard/p1,x,t,e,7,s\n")
    #expect(try output("query", store, "Slip", "--format", "csv") == "@id,Id,id\nSlip/p1,y,Card/p1\n")
    #expect(try output("query", store, "Card", "--columns", "id").hasPrefix("@id      id\n"))
  }

  @Test(arguments: ["json", "csv"]) func whatIsExportedComesBack(_ format: String) throws {
    let place = files.path("out" + (format == "json" ? ".json" : ""))
    _ = try output("export", files.path("Cards.sqlite"), "--format", format, "--output", place)
    let tool = try Tool("store", "import", files.path("New.sqlite"), place, "--model", model)
    #expect(tool.output == "Imported 2 objects\n", "\(tool.errors)")
    #expect(try output("export", files.path("New.sqlite")) == output("export", files.path("Cards.sqlite")))
  }

  /// What a query writes is a table that can be imported.
  @Test func aQueryComesBack() throws {
    let table = try output("query", files.path("Cards.sqlite"), "Card", "--format", "csv")
    try importing(table, "Card.csv", into: "New.sqlite", "--entity", "Card")
    #expect(try output("query", files.path("New.sqlite"), "Card", "--format", "csv") == table)
  }

  /// Tables of earlier versions have the reference in `id`; of two columns of that name it is the first.
  @Test(arguments: [
    ("id,ID\nCard/p1,x\n", "Card/p1,x,,,,\n"), ("id,ID,id\nCard/p1,x,7\n", "Card/p1,x,,,7,\n"),
    ("ID,id,id\nx,Card/p1,7\n", "Card/p1,x,,,7,\n"), ("id,@id\n7,c\n", "Card/p1,,,,7,\n"),
    ("ID\nx\n", "Card/p1,x,,,,\n"),
  ]) func tablesOfEarlierVersions(_ table: String, _ row: String) throws {
    try importing(table, "Card.csv", into: "New.sqlite", "--entity", "Card")
    #expect(
      try output("query", files.path("New.sqlite"), "Card", "--format", "csv")
        == "@id,ID,attributes,entity,id,select\n" + row)
  }

  /// The relationships of a table of an earlier version lead to what its first `id` names.
  @Test func relationshipsOfEarlierVersions() throws {
    try FileManager.default.createDirectory(atPath: files.path("old"), withIntermediateDirectories: true)
    try Data("id,id,slips\nCard/p1,7,Slip/p1\n".utf8).write(to: URL(fileURLWithPath: files.path("old/Card.csv")))
    try Data("id,Id,id\nSlip/p1,y,Card/p1\n".utf8).write(to: URL(fileURLWithPath: files.path("old/Slip.csv")))
    let tool = try Tool("store", "import", files.path("New.sqlite"), files.path("old"), "--model", model)
    #expect(tool.output == "Imported 2 objects\n", "\(tool.errors)")
    #expect(
      try output("query", files.path("New.sqlite"), "Slip", "--columns", "id.id,id", "--format", "csv")
        == "@id,id.id,id\nSlip/p1,7,Card/p1\n")
  }

  @Test(arguments: [
    ("@id,@id\na,b\n", "the column “@id” is there twice."), ("id,id,id\na,1,2\n", "the column “id” is there twice."),
    ("@id,ID,ID\na,x,y\n", "the column “ID” is there twice."),
  ]) func columnsThatAreThereTwice(_ table: String, _ message: String) throws {
    try Data(table.utf8).write(to: URL(fileURLWithPath: files.path("Card.csv")))
    let tool = try Tool(
      "store", "import", files.path("New.sqlite"), files.path("Card.csv"), "--entity", "Card", "--model", model)
    #expect(tool.status == 1 && tool.errors.hasSuffix(message + "\n"), "\(tool.errors)")
  }

  @Test(arguments: ["json", "csv"]) func aColumnThatIsAskedForTwice(_ format: String) throws {
    let tool = try Tool(
      "store", "query", files.path("Cards.sqlite"), "Card", "--columns", "id,ID,id", "--format", format)
    #expect(tool.status == 1 && tool.output.isEmpty)
    #expect(
      tool.errors == "Error: The column “id” is asked for twice, and \(format) can have a name once.\n",
      "\(tool.errors)")
  }
}
