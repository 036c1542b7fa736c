import Foundation
import Testing
import ToolProcess

/// `coredata model check`.
@Suite struct CheckTests {
  private let files: ModelFiles

  init() throws { files = try ModelFiles() }

  @Test func aLineForEachFile() throws {
    let good = try files.model(named: "Good", ModelFiles.music)
    let bad = try files.model(
      named: "Bad",
      """
      <entity name="Book" representedClassName="Book">
        <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author"/>
      </entity>
      """)
    let tool = try Tool("model", "check", good, bad, try files.versions("All", [good]), try files.store(of: good))
    #expect(tool.status == 1)
    #expect(
      tool.output == """
        \(good): ok
        \(bad): error: Book.author: There is no entity “Author”.
        \(files.path("All.xcdatamodeld")): ok
        \(files.path("store.sqlite")): ok

        4 files: 3 ok, 1 failed; 0 warnings

        """)
    #expect(try Tool("model", "check", good).status == 0)
  }

  /// Also where it is not read to be checked: a store is neither made nor migrated with it, and nothing is left.
  @Test func anEntityThatIsTooLarge() throws {
    let attributes = (0..<32_768).map { "<attribute name='a\($0)' attributeType='String' optional='YES'/>" }.joined()
    let big = try files.model(named: "Big", "<entity name='Book'>\(attributes)</entity>")
    let small = try files.model(
      named: "Small", "<entity name='Book'><attribute name='a0' attributeType='String' optional='YES'/></entity>")
    let reason =
      "The entity 'Book' has 32768 properties, with inherited ones and elements of composites; at most 32767 are possible."
    let tool = try Tool("model", "check", big)
    #expect(tool.status == 1 && tool.output == "\(big): error: \(reason)\n", "\(tool.output)\(tool.errors)")
    let store = try files.store(of: small), input = files.path("books.csv"), new = files.path("new.sqlite")
    try Data("@id,a0\n1,x\n".utf8).write(to: URL(fileURLWithPath: input))
    for arguments in [
      ["store", "import", new, input, "--entity", "Book", "--model", big], ["migrate", store, "--to", big],
      ["migrate", store, "--to", big, "--plan"], ["migrate", store, "--to", big, "--rehearse"],
      ["store", "query", store, "Book", "--model", big],
    ] {
      let tool = try Tool(arguments)
      #expect(tool.status == 1 && tool.errors.hasPrefix("Error: "), "\(arguments): \(tool.status) \(tool.errors)")
      if arguments[1] != "query" { #expect(tool.errors.contains(reason), "\(arguments): \(tool.errors)") }
    }
    #expect(!FileManager.default.fileExists(atPath: new))
    #expect(try Tool("store", "verify", store).status == 0)
  }

  @Test func everyVersionOfAFolderIsChecked() throws {
    let first = try files.model(named: "A", "<entity/>")
    let second = try files.model(named: "B", ModelFiles.music)
    let folder = try files.versions("Both", [first, second])
    let tool = try Tool("model", "check", folder)
    #expect(tool.status == 1)
    #expect(tool.output == "\(folder): error: A.xcdatamodel: An entity has no name.\n")
  }

  /// Apple's framework does not accept them; here their data can be read.
  @Test func namesOfMethods() throws {
    let model = try files.model(
      """
      <entity name="Book" representedClassName="Book">
        <attribute name="description" optional="YES" attributeType="String"/>
        <attribute name="deleted" optional="YES" attributeType="Boolean"/>
        <attribute name="summary" optional="YES" attributeType="String"/>
        <relationship name="objectID" optional="YES" maxCount="1" destinationEntity="Book" inverseName="hash" inverseEntity="Book"/>
        <relationship name="hash" optional="YES" toMany="YES" destinationEntity="Book" inverseName="objectID" inverseEntity="Book"/>
      </entity>
      """)
    let tool = try Tool("model", "check", model)
    #expect(tool.status == 0)
    let text = "its name is that of a method of"
    let end = "which Apple's framework does not accept for a property"
    #expect(
      tool.output == """
        \(model): ok, 3 warnings
          warning: Book.description: \(text) NSObject, \(end)
          warning: Book.hash: \(text) NSObject, \(end)
          warning: Book.objectID: \(text) NSManagedObject, \(end)

        """)
  }

  @Test func warnings() throws {
    let model = try files.model(
      """
      <entity name="Alone" isAbstract="YES"/>
      <entity name="Book" representedClassName="Book">
        <attribute name="code" optional="YES" attributeType="String" defaultValueString="x" regularExpressionString="[0-9]+"/>
        <attribute name="cover" optional="YES" attributeType="Transformable"/>
        <attribute name="pages" attributeType="Integer 32" minValueString="1" defaultValueString="0"/>
        <attribute name="price" optional="YES" attributeType="Double" minValueString="9" maxValueString="3"/>
        <relationship name="author" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
        <relationship name="editor" optional="YES" maxCount="1" destinationEntity="Author"/>
      </entity>
      <entity name="Author" representedClassName="Author">
        <relationship name="books" toMany="YES" minCount="1" deletionRule="No Action" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      </entity>
      """)
    let tool = try Tool("model", "check", model)
    #expect(tool.status == 0)
    #expect(
      tool.output == """
        \(model): ok, 9 warnings
          warning: Alone: it names no class: its objects are plain NSManagedObjects
          warning: Alone: it is abstract and has no subentity: there can be no objects of it
          warning: Author.books: with the delete rule No Action its inverse may lead to deleted objects
          warning: Book.code: its default value, "x", does not meet: matches [0-9]+
          warning: Book.cover: it names no value transformer
          warning: Book.editor: it has no inverse: nothing clears it when its destination is deleted
          warning: Book.pages: its default value, 0, does not meet: min 1
          warning: Book.price: its smallest value, 9, is above its largest, 3
          warning: Author.books: none of these is optional and they lead back, so that their objects must be saved \
        together: Author.books, Book.author

        """)
    #expect(try Tool("model", "check", "--no-warnings", model).output == "\(model): ok, 9 warnings\n")
  }

  @Test func aCompiledFolderStatesItsHashes() throws {
    let folder = try files.versions("Music", [files.model(named: "One", ModelFiles.music)])
    _ = try Tool("model", "compile", folder, "-o", files.folder.path)
    let compiled = files.path("Music.momd")
    #expect(try Tool("model", "check", compiled).output == "\(compiled): ok\n")
    let other = try files.model(named: "Two", "<entity name='A' representedClassName='A'/>")
    _ = try Tool("model", "compile", other, "-o", files.folder.path)
    try FileManager.default.removeItem(atPath: compiled + "/One.mom")
    try FileManager.default.moveItem(atPath: files.path("Two.mom"), toPath: compiled + "/One.mom")
    let tool = try Tool("model", "check", compiled)
    #expect(tool.status == 0)
    #expect(tool.output.contains("  warning: VersionInfo.plist states other hashes for One\n"))
  }

  private static let corpus: URL? = {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return ["../shared/corpus", "../../shared/corpus"].map { package.appending(path: $0).standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  @Test(.enabled(if: corpus != nil, "the corpus is not there")) func publicModels() throws {
    let corpus = try #require(Self.corpus)
    let models = try FileManager.default.contentsOfDirectory(atPath: corpus.appending(path: "models").path)
      .filter { $0.hasSuffix(".xcdatamodel") }.map { corpus.appending(path: "models/\($0)").path }
    let tool = try Tool(["model", "check", "--no-warnings"] + models.sorted())
    #expect(tool.status == 0)
    #expect(models.count >= 239 && tool.output.contains("\(models.count) files: \(models.count) ok, 0 failed"))
  }

  @Test(.enabled(if: corpus != nil, "the corpus is not there")) func publicStores() throws {
    let folder = try #require(Self.corpus).appending(path: "stores")
    let stores = (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".sqlite") }.map { folder.appending(path: $0).path }
    let tool = try Tool(["model", "check", "--no-warnings"] + stores.sorted())
    let failed = tool.output.split(separator: "\n").filter { $0.contains(": error: ") }
    // One is older than model caches.
    #expect(failed.count == 1 && failed[0].contains("RKSeedDatabase.sqlite keeps no copy of its model"), "\(failed)")
    #expect(!tool.output.contains("its hash in the metadata"))
    for store in stores { #expect(try Tool("model", "hashes", store).status == 0, "\(store)") }
  }
}
