import Foundation
import OpenCoreData
import Testing
import ToolProcess

/// `coredata store export` and `import`.
@Suite struct ImportTests {
  private let files: StoreFiles

  init() throws { files = try StoreFiles() }

  private func export(_ store: String, _ arguments: String...) throws -> String {
    let tool = try Tool(["store", "export", store] + arguments)
    #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
    return tool.output
  }

  private func write(_ text: String, _ name: String = "input.json") throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: files.path(name)))
    return files.path(name)
  }

  @Test func whatIsExportedIsImportedEqual() throws {
    try files.moveCoverToFile(of: 1)
    let before = try files.contents()
    let first = try export(files.store.path)
    #expect(try files.contents() == before)
    #expect(first.contains("\"shape\": \"AQI=\""))
    let tool = try Tool("store", "import", files.path("New.sqlite"), try write(first), "--model", files.model)
    #expect(tool.output == "Imported 10 objects\n", "\(tool.errors)")
    #expect(try export(files.path("New.sqlite")) == first)
    #expect(try Tool("store", "verify", files.path("New.sqlite")).status == 0)
  }

  @Test func tablesOfAFolderAreImportedEqual() throws {
    _ = try export(files.store.path, "--format", "csv", "--output", files.path("tables"))
    let tag = try String(contentsOfFile: files.path("tables/Tag.csv"), encoding: .utf8)
    #expect(
      tag == "@id,name,items\nTag/p1,old,Book/p1 Book/p2 Film/p3\nTag/p2,\"new, \"\"quoted\"\"\",Book/p1 Book/p2\n")
    let tool = try Tool("store", "import", files.path("New.sqlite"), files.path("tables"), "--model", files.model)
    #expect(tool.output == "Imported 10 objects\n", "\(tool.errors)")
    #expect(try export(files.path("New.sqlite"), "--entity", "Item") == export(files.store.path, "--entity", "Item"))
  }

  /// Entities that inherit, ordered and unordered relationships of every kind, and more objects than a batch has.
  @Test func aLongDocumentIsImportedEqual() throws {
    let folder = files.folder.appending(path: "Long.xcdatamodel")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func relationship(_ name: String, _ destination: String, _ inverse: String, _ more: String) -> String {
      "<relationship name='\(name)' optional='YES' destinationEntity='\(destination)' inverseName='\(inverse)' "
        + "inverseEntity='\(destination)' \(more)/>"
    }
    let one = "maxCount='1'", many = "toMany='YES'", ordered = "toMany='YES' ordered='YES'"
    let text = """
      <model><entity name="Node"><attribute name="name" attributeType="String"/>
      \(relationship("parent", "Node", "children", one))\(relationship("children", "Node", "parent", ordered))
      \(relationship("friends", "Node", "friends", many))\(relationship("twin", "Node", "twin", one))
      \(relationship("tags", "Tag", "nodes", ordered))\(relationship("owner", "Tag", "owned", one))</entity>
      <entity name="Leaf" parentEntity="Node"><attribute name="size" optional="YES" attributeType="Integer 64"/></entity>
      <entity name="Tag"><attribute name="name" attributeType="String"/>
      \(relationship("nodes", "Node", "tags", many))\(relationship("owned", "Node", "owner", many))</entity></model>
      """
    try Data(text.utf8).write(to: folder.appending(path: "contents"))
    let store = files.folder.appending(path: "Long.sqlite")
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(validatingContentsOf: folder))
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: store)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      func make(_ entity: String, _ number: Int) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        object.setValue("\(entity) \(number)", forKey: "name")
        return object
      }
      let tags = (0..<7).map { make("Tag", $0) }, nodes = (0..<1500).map { make($0 % 3 == 0 ? "Leaf" : "Node", $0) }
      for (number, node) in nodes.enumerated() {
        if number > 0 { node.setValue(nodes[number / 5], forKey: "parent") }
        if number % 2 == 0 { node.setValue(nodes[number + 1], forKey: "twin") }
        node.setValue(tags[number % 7], forKey: "owner")
        node.setValue(NSOrderedSet(array: [tags[number % 7], tags[(number + 3) % 7]]), forKey: "tags")
        node.setValue(NSSet(array: [nodes[(number + 11) % 1500], nodes[(number + 5) % 1500]]), forKey: "friends")
      }
      try context.save()
      // Not in the order of their keys.
      for node in nodes.prefix(100) {
        let children = node.value(forKey: "children") as? NSOrderedSet ?? NSOrderedSet()
        node.setValue(NSOrderedSet(array: Array(children.reversed())), forKey: "children")
      }
      try context.save()
    }
    let first = try export(store.path), model = folder.path
    let json = try Tool("store", "import", files.path("New.sqlite"), try write(first), "--model", model)
    #expect(json.output == "Imported 1507 objects\n", "\(json.errors)")
    // Objects of the two entities of a table come one after the other, so that their keys change.
    func named(_ store: String) throws -> [String: [String]] {
      let document = try JSONSerialization.jsonObject(with: Data(export(store).utf8))
      let objects = (document as? [String: [[String: Any]]] ?? [:]).values.joined()
      let names = Dictionary(
        objects.map { ($0["@id"] as? String ?? "", ($0["attributes"] as? [String: Any])?["name"] as? String ?? "") },
        uniquingKeysWith: { first, _ in first })
      return Dictionary(
        objects.map { object in
          let sides = (object["relationships"] as? [String: Any] ?? [:]).map { key, value in
            let members = (value as? [String] ?? [value as? String].compactMap(\.self)).map { names[$0] ?? $0 }
            let isOrdered = key == "children" || key == "tags"
            return "\(key): \((isOrdered ? members : members.sorted()).joined(separator: ", "))"
          }
          return (names[object["@id"] as? String ?? ""] ?? "", sides.sorted())
        }, uniquingKeysWith: { first, _ in first })
    }
    let before = try named(store.path)
    #expect(before.count == 1507)
    #expect(before["Leaf 0"]?.first == "children: Node 4, Leaf 3, Node 2, Node 1", "\(before["Leaf 0"] ?? [])")
    #expect(try named(files.path("New.sqlite")) == before)
    _ = try export(store.path, "--format", "csv", "--output", files.path("long"))
    let csv = try Tool("store", "import", files.path("Tables.sqlite"), files.path("long"), "--model", model)
    #expect(csv.output == "Imported 1507 objects\n", "\(csv.errors)")
    #expect(try named(files.path("Tables.sqlite")) == before)
    for name in ["New.sqlite", "Tables.sqlite"] {
      #expect(try Tool("store", "verify", files.path(name)).output == "\(files.path(name)): ok\n")
    }
  }

  /// Apple's Notes, for one, sets one side alone of a one-to-one relationship. What each side reads stays as it is, even where
  /// the two sides lead to different objects.
  @Test(arguments: [
    "UPDATE ZPERSON SET ZCARD = NULL", "UPDATE ZCARD SET ZPERSON = NULL",
    "UPDATE ZPERSON SET ZCARD = NULL; UPDATE ZPERSON SET ZCARD = 1 WHERE Z_PK = 2", "UPDATE ZPERSON SET ZCARD = 1",
  ]) func whatEachSideOfAOneToOneReadsIsKept(_ sql: String) throws {
    try files.damage(sql)
    let first = try export(files.store.path), before = try files.kinds(of: files.store)
    let json = try Tool("store", "import", files.path("New.sqlite"), try write(first), "--model", files.model)
    #expect(json.status == 0, "\(json.errors)")
    #expect(try export(files.path("New.sqlite")) == first)
    #expect(try files.kinds(of: URL(fileURLWithPath: files.path("New.sqlite"))) == before)
    _ = try export(files.store.path, "--format", "csv", "--output", files.path("tables"))
    let csv = try Tool("store", "import", files.path("Tables.sqlite"), files.path("tables"), "--model", files.model)
    #expect(csv.status == 0, "\(csv.errors)")
    for entity in ["Person", "Card"] {
      #expect(
        try export(files.path("Tables.sqlite"), "--entity", entity) == export(files.store.path, "--entity", entity))
    }
  }

  /// A document by hand that has one side alone of a relationship says no more than that: the other side follows.
  @Test func aSideThatIsNotInTheDocumentFollows() throws {
    let input = try write(
      #"{"Card": [{"id": "c", "attributes": {"number": 1}, "relationships": {"person": "p"}}], "#
        + #""Person": [{"id": "p", "attributes": {"name": "Cleo"}}]}"#)
    #expect(try Tool("store", "import", files.path("New.sqlite"), input, "--model", files.model).status == 0)
    let people = try Tool(
      "store", "query", files.path("New.sqlite"), "Person", "--columns", "name,card", "--format", "csv")
    #expect(people.output == "@id,name,card\nPerson/p1,Cleo,Card/p1\n")
    #expect(try Tool("store", "verify", files.path("New.sqlite")).output == "\(files.path("New.sqlite")): ok\n")
  }

  @Test func nothingIsReplacedUnlessForced() throws {
    let file = try write("mine"), tables = files.path("tables")
    func run(_ arguments: String...) throws -> Tool { try Tool(["store", "export", files.store.path] + arguments) }
    var tool = try run("--output", file)
    #expect(tool.status == 1)
    #expect(tool.errors == "Error: There is something at \(file) already. Give --force to replace it.\n")
    tool = try run("--output", file, "--format", "csv")
    #expect(tool.status == 1 && tool.errors.hasPrefix("Error: \(file) is a file. Expected a folder"))
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(try run("--output", file, "--force").status == 0)
    #expect(try String(contentsOfFile: file, encoding: .utf8) == run().output)
    #expect(try run("--output", tables, "--format", "csv").status == 0)
    tool = try run("--output", tables, "--format", "csv")
    #expect(tool.status == 1 && tool.errors.contains(".csv already. Give --force"), "\(tool.errors)")
    #expect(try run("--output", tables, "--format", "csv", "--force").status == 0)
    #expect(try run("--output", tables).errors.hasPrefix("Error: \(tables) is a folder."))
    #expect(try run("--output", files.store.path, "--force").errors.hasSuffix("is the store itself.\n"))
  }

  @Test func objectsJoinThoseOfTheStore() throws {
    let input = try write("id,name,favourite,items\n1,Cleo,Film/p3,Book/p2\n", "people.csv")
    #expect(try Tool("store", "import", files.store.path, input, "--entity", "Person").output == "Imported 1 object\n")
    let tool = try Tool(
      "store", "query", files.store.path, "Person", "--columns", "name,favourite,items.@count", "--format", "csv")
    #expect(
      tool.output
        == "@id,name,favourite,items.@count\nPerson/p1,Ada,Film/p3,1\nPerson/p2,Ben,,1\nPerson/p3,Cleo,Film/p3,1\n")
    #expect(try Tool("store", "verify", files.store.path).output == "\(files.store.path): ok\n")
  }

  /// Programs that read the history of a store hear of what was imported; the store stays in its journal mode.
  @Test(arguments: ["WAL", "DELETE"]) func aStoreWithAHistoryGetsATransaction(mode: String) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(validatingContentsOf: URL(fileURLWithPath: files.model)))
    func open<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: files.store,
        options: [NSPersistentHistoryTrackingKey: true, NSSQLitePragmasOption: ["journal_mode": mode]])
      defer { try? coordinator.remove(store) }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait { try body(context) }
    }
    func history() throws -> [String] {
      try open { context in
        let result = try context.execute(
          NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?))
        return ((result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []).map {
          // The film at the other end of a relationship is told, too.
          let inserted = ($0.changes ?? []).filter { $0.changeType == .insert }.map(\.changedObjectID.entity.name)
          return "\($0.author ?? "none"): \(inserted.compactMap(\.self).joined(separator: ", "))"
        }
      }
    }
    #expect(try history() == [])
    let input = try write("@id,name,favourite\n1,Cleo,Film/p3\n2,Dan,\n", "people.csv")
    let before = try files.contents()
    var tool = try Tool("store", "import", files.store.path, input, "--entity", "Person", "--dry-run")
    #expect(tool.output == "Would import 2 objects, with a transaction in the store's history\n", "\(tool.errors)")
    #expect(try files.contents() == before)
    tool = try Tool("store", "import", files.store.path, input, "--entity", "Person")
    #expect(tool.output == "Imported 2 objects, with a transaction in the store's history\n", "\(tool.errors)")
    #expect(
      try Tool("store", "info", files.store.path, "--format", "json").json()["journalMode"] as? String
        == mode.lowercased())
    #expect(try history() == ["coredata store import: Person, Person"])
    #expect(try Tool("store", "verify", files.store.path).output == "\(files.store.path): ok\n")
    // Without a history nothing is begun.
    try files.damage("DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING")
    #expect(try Tool("store", "import", files.store.path, input, "--entity", "Person").output == "Imported 2 objects\n")
    #expect(try Tool("store", "info", files.store.path, "--format", "json").json()["history"] == nil)
  }

  /// A mandatory to-many relationship may be empty if it has no minimum: importing and verifying agree.
  @Test func emptyMandatoryRelationships() throws {
    func model(_ minimum: String) throws -> String {
      let folder = files.folder.appending(path: "Shelf\(minimum.isEmpty ? "0" : "1").xcdatamodel")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let text = """
        <model><entity name="Shelf"><attribute name="name" attributeType="String"/>
        <relationship name="books" toMany="YES" \(minimum) destinationEntity="Volume" inverseName="shelf"/></entity>
        <entity name="Volume"><relationship name="shelf" optional="YES" maxCount="1" destinationEntity="Shelf"
        inverseName="books"/></entity></model>
        """
      try Data(text.utf8).write(to: folder.appending(path: "contents"))
      return folder.path
    }
    let input = try write(#"{"Shelf": [{"attributes": {"name": "s"}}]}"#)
    let free = try Tool("store", "import", files.path("Free.sqlite"), input, "--model", try model(""))
    #expect(free.output == "Imported 1 object\n", "\(free.errors)")
    let verified = try Tool("store", "verify", files.path("Free.sqlite"))
    #expect(verified.status == 0 && verified.output == "\(files.path("Free.sqlite")): ok\n")
    let bound = try Tool("store", "import", files.path("Bound.sqlite"), input, "--model", try model("minCount='1'"))
    #expect(bound.status == 1 && bound.errors.contains("books has too few members"), "\(bound.errors)")
    // A store from before the minimum was there.
    let old = files.path("Free.sqlite")
    let other = try InspectedStore(
      URL(fileURLWithPath: old),
      model: try NSManagedObjectModel(
        validatingContentsOf: URL(fileURLWithPath: try model("minCount='1'"))))
    #expect(StoreVerification(other).problems().map(\.kind) == [.modelMismatch, .memberCount])
  }

  @Test func aDryRunChangesNothing() throws {
    let input = try write(
      #"{"Tag": [{"id": "a", "attributes": {"name": "t"}, "relationships": {"items": ["Film/p3"]}}]}"#)
    let before = try files.contents()
    #expect(try Tool("store", "import", files.store.path, input, "--dry-run").output == "Would import 1 object\n")
    let new = try Tool(
      "store", "import", files.path("New.sqlite"), input, "--dry-run", "--model", files.model)
    #expect(new.status == 1 && new.errors.contains("there is no object “Film/p3”"))
    #expect(try files.contents() == before)
  }

  @Test(arguments: [
    (#"{"Tag": []"#, "input.json:1: the file ends too early."),
    (#"{"Tags": [{}]}"#, "input.json:1: there is no entity “Tags”"),
    (#"{"Item": [{}]}"#, "the entity Item is abstract"),
    ("{\"Tag\": [\n{\"attributes\": {\"nam\": \"x\"}}]}", "input.json:2: Tag has no attribute “nam”."),
    (#"{"Film": [{"attributes": {"pages": 40000}}]}"#, "Film.pages: expected an integer of 16 bits, found 40000."),
    (#"{"Film": [{"attributes": {"pages": 1.5}}]}"#, "Film.pages: expected an integer of 16 bits, found 1.5."),
    (#"{"Film": [{"attributes": {"isNew": "yes"}}]}"#, "Film.isNew: expected true or false, found “yes”."),
    (#"{"Film": [{"attributes": {"price": "1x"}}]}"#, "Film.price: expected a decimal number, found “1x”."),
    (#"{"Film": [{"attributes": {"added": "today"}}]}"#, "Film.added: expected a date"),
    (#"{"Film": [{"attributes": {"key": "1"}}]}"#, "Film.key: expected a UUID"),
    (#"{"Film": [{"attributes": {"raw": "*"}}]}"#, "Film.raw: expected bytes in base 64"),
    (#"{"Tag": [{"relationships": {"items": ["Film/p9"]}}]}"#, "items: there is no object “Film/p9”"),
    (#"{"Film": [{"relationships": {"owner": "Tag/p1"}}]}"#, "owner: “Tag/p1” is a Tag, expected a Person."),
    (#"{"Tag": [{"id": "a"}, {"id": "a"}]}"#, "the id “a” is there twice."),
    (#"{"Tag": [{"id": "a"}, {"@id": "a"}]}"#, "the id “a” is there twice."),
    (#"{"Tag": [{"@id": "a", "@id": "b"}]}"#, "input.json:1: “@id” is there twice."),
    (#"{"Tag": [{"id": "a", "id": "b"}]}"#, "input.json:1: “id” is there twice."),
    (#"{"Tag": [{"@id": "a", "id": "b"}]}"#, "expected “@id” with a text, “attributes” and"),
    (#"{"Film": [{"attributes": {"code": "Z"}}]}"#, "input.json:1: Film: title is a required value."),
    (
      "{\"Film\": [\n{\"attributes\": {\"title\": \"x\", \"code\": \"B1\"}}]}",
      "Nothing was imported.\ninput.json:2: Film: code “B1” must be unique; Book/p1 in the store has the same.\n"
    ),
    (
      "{\"Film\": [{\"attributes\": {\"title\": \"x\", \"code\": \"Z\"}}],\n"
        + "\"Book\": [{\"attributes\": {\"title\": \"y\", \"code\": \"Z\"}, \"relationships\": {\"chapters\": [\"c\"]}}],"
        + "\"Chapter\": [{\"id\": \"c\"}]}",
      "Nothing was imported.\ninput.json:2: Book: code “Z” must be unique; input.json:1 has the same.\n"
    ),
    (#"{"Persn": []}"#, "input.json:1: there is no entity “Persn”. Expected one of Book,"),
    (#"{"Tag": [\#(String(repeating: "[", count: 100_000))"#, "values are nested too deep."),
  ]) func mistakesAreNamedAndNothingIsImported(_ input: String, _ message: String) throws {
    let before = try export(files.store.path)
    let tool = try Tool("store", "import", files.store.path, try write(input))
    #expect(tool.status == 1 && tool.errors.contains(message), "\(tool.errors)")
    #expect(try export(files.store.path) == before)
    let new = try Tool("store", "import", files.path("New.sqlite"), files.path("input.json"), "--model", files.model)
    if !input.contains("B1") {
      #expect(new.status == 1)
      #expect(try files.contents().keys.filter { $0.contains("New") } == [])
    }
  }

  @Test func foldersWithoutTables() throws {
    let folder = files.path("tables")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    func errors(_ arguments: String...) throws -> String {
      let tool = try Tool(["store", "import", files.store.path, folder] + arguments)
      #expect(tool.status == 1)
      return tool.errors
    }
    #expect(try errors() == "Error: There is no CSV file in \(folder). Expected one named after its entity.\n")
    _ = try write("id,name\n", "tables/Toy.csv")
    #expect(try errors().hasPrefix("Error: Toy.csv: there is no entity “Toy”."))
    #expect(try errors("--entity", "Tag") == "Error: There is no Tag.csv in \(folder).\n")
    #expect(try errors("--entity", "Toy").hasPrefix("Error: --entity: there is no entity “Toy”."))
  }

  @Test func datesKeepAllTheirDigits() throws {
    let dates = ["2024-05-10T18:14:11.669581Z", "1969-12-31T23:59:59.9999Z", "2001-01-01T00:00:00Z", "-1e+20"]
    let rows = dates.enumerated().map { "x\($0.offset),\($0.element)\n" }.joined()
    let input = try write("title,added\n\(rows)", "films.csv")
    #expect(
      try Tool("store", "import", files.path("New.sqlite"), input, "--entity", "Film", "--model", files.model).status
        == 0)
    let output = try export(files.path("New.sqlite"), "--format", "csv", "--entity", "Film")
    #expect(
      output.split(separator: "\n").dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false)[1] }
        .map(String.init) == dates)
  }
}
