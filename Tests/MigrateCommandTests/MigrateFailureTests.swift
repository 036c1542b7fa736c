import CSQLite
import CoreData
import Foundation
import Testing
import ToolProcess

/// `coredata migrate` where it cannot be done: what is in the way is named, and the store is as it was.
@Suite struct MigrateFailureTests {
  private func migrate(_ arguments: String...) throws -> Tool { try Tool(["migrate"] + arguments) }

  /// Runs a migration that must fail, and looks at the store.
  private func failure(_ folder: ModelFolder, _ arguments: String...) throws -> String {
    let before = try folder.contents()
    let tool = try Tool(["migrate", folder.store().path] + arguments)
    #expect(tool.status == 1 && tool.output.isEmpty, "\(tool.output)")
    // Nothing is left beside it either.
    #expect(try folder.contents() == before)
    return tool.errors
  }

  @Test func aMandatoryAttributeWithoutDefaultValue() throws {
    let folder = try Library.folder(["Library", "Mandatory"], current: "Mandatory")
    let store = try folder.make("Library", fill: Library.fill)
    let plan = try migrate(store, "--to", folder.model, "--plan")
    #expect(plan.status == 1)
    #expect(plan.output.contains("  IN THE WAY: Book.isbn: ") && plan.output.contains(" (3 rows)\n"), "\(plan.output)")
    #expect(plan.output.hasSuffix("The migration would fail. Nothing was changed.\n"))
    for option in ["--rehearse", "--verify", "--no-backup"] {
      let errors = try failure(folder, "--to", folder.model, option)
      #expect(errors.contains("cannot be migrated from “Library” to “Mandatory”"))
      #expect(errors.contains("Book.isbn: ") && errors.contains("NSCocoaErrorDomain 134110"), "\(errors)")
      #expect(errors.contains("\nThe store is as it was"))
    }
    // Where no row needs it, it can be done.
    try folder.damage("DELETE FROM ZBOOK")
    #expect(try migrate(store, "--to", folder.model, "--verify").status == 0)
  }

  @Test func whatCannotBeInferred() throws {
    let folder = try Library.folder(["Library", "Texts"], current: "Texts")
    _ = try folder.make("Library", fill: Library.fill)
    for option in ["--plan", "--rehearse", "--verify"] {
      let errors = try failure(folder, "--to", folder.model, option)
      #expect(errors.contains("It is not lightweight, and there is no mapping model for it"))
      #expect(errors.contains("\n  Book.pages: "), "\(errors)")
    }
  }

  @Test func aLaterStepThatFailsLeavesTheFirstVersion() throws {
    // Reached by way of version 2 alone, and not by these rows.
    let folder = try Library.folder(["Library", "Library 2", "Library 11"], current: "Library 11")
    let store = try folder.make("Library", fill: Library.fill)
    for options in [["--verify"], ["--no-backup"]] {
      let tool = try Tool(["migrate", store, "--to", folder.model] + options)
      #expect(tool.status == 1)
      #expect(
        tool.errors.contains("from “Library 2” to “Library 11”") && tool.errors.contains("Book.isbn"), "\(tool.errors)")
      #expect(tool.errors.hasSuffix("\nThe store is as it was.\n"))
      #expect(try folder.names().filter { $0.contains("backup") } == [])
      #expect(try Tool("store", "verify", store).output == "\(store): ok\n")
      let titles = try folder.work("Library") {
        try $0.all("Book", by: "year").map { $0.value(forKey: "title") as? String }
      }
      #expect(titles == ["Book 1", "Book 2", "Book 3"])
      let covers = try folder.work("Library") {
        try $0.all("Book", by: "year").map { $0.value(forKey: "cover") as? Data }
      }
      #expect(covers == [nil, Library.cover, nil])
    }
  }

  @Test func aDifferencePutsTheOldStoreBack() throws {
    let folder = try Library.folder(["Library", "Read"], current: "Read")
    let store = try folder.make("Library", fill: Library.fill)
    // What somebody has put into the file changes what the migration writes.
    try folder.damage(
      "CREATE TRIGGER mine AFTER UPDATE ON ZBOOK WHEN NEW.ZPAGES = 300 AND NEW.ZPAGES = OLD.ZPAGES "
        + "BEGIN UPDATE ZBOOK SET ZPAGES = 301 WHERE Z_PK = NEW.Z_PK; END")
    let rehearsal = try migrate(store, "--to", folder.model, "--rehearse")
    #expect(rehearsal.status == 1)
    #expect(rehearsal.output.contains(".pages: 301 is there, 300 is expected\n"), "\(rehearsal.output)")
    for (mode, option) in [("WAL", "--verify"), ("DELETE", "--no-backup")] {
      try folder.damage("PRAGMA journal_mode = \(mode)")
      let before = try folder.contents()["Store.sqlite"]?.prefix(100)
      let tool = try migrate(store, "--to", folder.model, "--verify", option)
      // The header, too, with its count of changes and its journal mode.
      #expect(try folder.contents()["Store.sqlite"]?.prefix(100) == before)
      #expect(tool.status == 1)
      #expect(
        tool.output.contains("NOT VERIFIED") && tool.output.contains("the old store was put back"), "\(tool.output)")
      let titles = try folder.work("Library") {
        try $0.all("Book", by: "year").map { $0.value(forKey: "title") as? String }
      }
      #expect(titles == ["Book 1", "Book 2", "Book 3"])
    }
  }

  /// A column of the store is missing: reading an object of it is an error of the tool, not its end.
  @Test func aDamagedStoreUnderAMappingModel() throws {
    let folder = try Library.folder(["Library", "Library 2"], current: "Library 2")
    let store = try folder.make("Library", fill: Library.fill)
    let mapping = try folder.mapping("mappings/Same.cdm", from: "Library", to: "Library 2") { known in
      known["Book"]?.attributeMappings = known["Book"]?.attributeMappings?.filter {
        ["title", "pages"].contains($0.name)
      }
      return known.values.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }
    try folder.damage("ALTER TABLE ZBOOK DROP COLUMN ZTITLE")
    let before = try folder.contents()
    for option in ["--plan", "--rehearse", "--verify"] {
      let tool = try migrate(store, "--to", folder.model, "--mapping", mapping, option)
      #expect(tool.status == 1 && !(tool.output + tool.errors).contains("terminating"), "\(tool.output)\(tool.errors)")
      #expect(try folder.contents() == before)
    }
  }

  /// Versions that differ in nothing that a hash counts.
  @Test func theStoresVersionIdentifierDecides() throws {
    let book = "<entity name='Book'><attribute name='title' attributeType='String' optional='YES' %/></entity>"
    func version(_ renaming: String) -> String { book.replacingOccurrences(of: "%", with: renaming) }
    let folder = try ModelFolder(
      [
        "A": version("defaultValueString='a'"), "B": version("defaultValueString='b'"),
        "C": version("").replacingOccurrences(of: "title", with: "name"),
      ],
      current: "C")
    // What was called title in A is name in C; B says nothing of it.
    for (name, identifier) in [("A", "1"), ("B", "2"), ("C", "3")] {
      let file = URL(fileURLWithPath: folder.version(name)).appending(path: "contents")
      let text = try String(contentsOf: file, encoding: .utf8)
        .replacingOccurrences(of: "<model>", with: "<model userDefinedModelVersionIdentifier='\(identifier)'>")
      try Data(text.utf8).write(to: file)
    }
    for name in ["A", "B"] {
      let store = try folder.make(name, "\(name).sqlite") { context in
        NSEntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue("t", forKey: "title")
      }
      let tool = try migrate(store, "--to", folder.model, "--plan")
      #expect(tool.output.contains("“\(name)” -> “C”"), "\(tool.output)\(tool.errors)")
      let given = try migrate(store, "--to", folder.model, "--from", folder.version(name == "A" ? "B" : "A"), "--plan")
      #expect(given.output.contains("“\(name == "A" ? "B" : "A")” -> “C”"), "\(given.output)\(given.errors)")
    }
  }

  @Test func aModelOfSomethingElse() throws {
    let (folder, store) = try Library.full()
    let other = try ModelFolder(["Pets": "<entity name='Pet'/>"], current: "Pets")
    #expect(
      try failure(folder, "--to", other.model)
        == "Error: The store \(store) was not migrated: no entity of “the store's own model” is in “Pets”, and every "
        + "object would be lost. --force does it all the same.\n")
    #expect(try migrate(store, "--to", other.model, "--plan").output.contains("LOST: 3 objects of Book"))
    #expect(try migrate(store, "--to", other.model, "--force").status == 0)
  }

  @Test func theModelOfTheStoreIsMissing() throws {
    let (folder, store) = try Library.full()
    try folder.damage("DELETE FROM Z_MODELCACHE")
    let other = try Library.folder(["Library 2", "Library 10"], current: "Library 2")
    let errors = try failure(folder, "--to", other.model)
    #expect(
      errors == "Error: The model of the store \(store) is not found: it is none of “Library 2”, “Library 10”, and it "
        + "keeps no copy of its own. Give it with --from.\n")
    #expect(
      try failure(folder, "--to", other.model, "--from", folder.version("Library 2"))
        .contains("is not that of the store \(store); these entities differ: Book"))
    #expect(try migrate(store, "--to", other.model, "--from", folder.model, "--verify").status == 0)
  }

  @Test func whatIsNoStore() throws {
    let (folder, store) = try Library.full()
    #expect(
      try migrate(folder.store("None.sqlite").path, "--to", folder.model).errors.contains("There is no file at"))
    try Data("text".utf8).write(to: folder.store("Text.sqlite"))
    #expect(try migrate(folder.store("Text.sqlite").path, "--to", folder.model).errors.contains("is no store"))
    try PlainConnection(folder.store("Other.sqlite")).run("CREATE TABLE a (b)")
    let other = try migrate(folder.store("Other.sqlite").path, "--to", folder.model)
    #expect(other.status == 1 && other.errors.contains("not a Core Data store"), "\(other.errors)")
    #expect(try failure(folder, "--to", folder.store("None.momd").path).contains("None.momd"))
    #expect(
      try failure(folder, "--to", folder.model, "--version", "Library 7")
        == "Error: The model \(folder.model) has no version “Library 7”. It has Library, Library 2, Library 10.\n")
    #expect(try migrate(store, "--to", folder.model, "--plan", "--verify").status == 64)
    #expect(try migrate(store).status == 64)
  }

  @Test func aStoreThatOthersHaveLocked() throws {
    let (folder, store) = try Library.full()
    let database = try PlainConnection(folder.store())
    try database.run("BEGIN IMMEDIATE")
    let tool = try migrate(store, "--to", folder.model, "--timeout", "0.2")
    #expect(tool.status == 1)
    #expect(tool.errors.contains("locked") && tool.errors.contains("\nThe store is as it was.\n"), "\(tool.errors)")
    #expect(try folder.names().filter { $0.contains("backup") } == [])
    try database.run("COMMIT")
    #expect(try migrate(store, "--to", folder.model, "--timeout", "0.2").status == 0)
  }

  /// A limit to the size of files is what a full disk is to SQLite, but for the number of the error.
  @Test(arguments: ["", "--no-backup"]) func aFullDisk(option: String) throws {
    let folder = try Library.folder(["Library", "Library 2"], current: "Library 2")
    _ = try folder.make("Library") { context in
      for number in 0..<4000 {
        context.make("Book", ["title": String(repeating: "long ", count: 40) + "\(number)", "year": number])
      }
    }
    let before = try folder.contents()
    let size = before["Store.sqlite"]?.count ?? 0
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "coredata").path
    let process = Process(), errors = Pipe()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      [
        "-c", "ulimit -f \(size / 2048); trap '' XFSZ; exec \"$0\" migrate \"$@\"", program, folder.store().path,
        "--to",
        folder.model,
      ] + (option.isEmpty ? [] : [option])
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 1, "\(text)")
    #expect(text.contains("The store is as it was"), "\(text)")
    #expect(try Tool("store", "verify", folder.store().path).output == "\(folder.store().path): ok\n")
    #expect(try folder.work("Library") { try $0.all("Book", by: "year").count } == 4000)
    #expect(try folder.names() == ["Store.sqlite"])
  }
}
