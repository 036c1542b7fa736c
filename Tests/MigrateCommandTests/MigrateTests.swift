import CoreData
import Foundation
import Testing
import ToolProcess

/// `coredata migrate`, where all goes well.
@Suite struct MigrateTests {
  private func migrate(_ arguments: String...) throws -> Tool { try Tool(["migrate"] + arguments) }

  private func titles(_ folder: ModelFolder, _ version: String, _ key: String, _ store: String = "Store.sqlite") throws
    -> [String?]
  {
    try folder.work(version, store) { try $0.all("Book", by: "year").map { $0.value(forKey: key) as? String } }
  }

  @Test func aStoreGoesThroughItsVersionsWithABackup() throws {
    let (folder, store) = try Library.full()
    let tool = try migrate(store, "--to", folder.model, "--verify")
    #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
    // In the order in which people count.
    #expect(tool.output.contains("Step 1 of 2: “Library” -> “Library 2”: lightweight\n"))
    #expect(tool.output.contains("Step 2 of 2: “Library 2” -> “Library 10”: lightweight\n"))
    #expect(tool.output.contains("    Book         3      3\n    Person       2      2\n"))
    #expect(tool.output.contains("values of 5 objects are as they must be."))
    #expect(tool.output.contains("\nThe store as it was: \(folder.store("Store-backup.sqlite").path)\n"))
    #expect(try titles(folder, "Library 10", "heading") == ["Book 1", "Book 2", "Book 3"])
    #expect(try titles(folder, "Library", "title", "Store-backup.sqlite") == ["Book 1", "Book 2", "Book 3"])
    for (name, version) in [("Store.sqlite", "Library 10"), ("Store-backup.sqlite", "Library")] {
      let covers = try folder.work(version, name) { try $0.all("Book", by: "year").map { $0.value(forKey: "cover") } }
      #expect(covers[1] as? Data == Library.cover)
      #expect(try Tool("store", "verify", folder.store(name).path).status == 0)
    }
    #expect(try folder.names().filter { $0.contains("SUPPORT") } == [".Store-backup_SUPPORT", ".Store_SUPPORT"])
  }

  @Test func aStoreOfThatVersionIsLeftAlone() throws {
    let (folder, store) = try Library.full()
    let before = try folder.contents()
    for arguments in [[], ["--plan"], ["--rehearse"], ["--verify"]] {
      let tool = try Tool(["migrate", store, "--to", folder.version("Library")] + arguments)
      #expect(tool.status == 0)
      #expect(tool.output == "\(store) (SQLite)\nThe store is of “Library” already: nothing to do.\n")
    }
    #expect(try folder.contents() == before)
    let tool = try migrate(store, "--to", folder.model, "--version", "Library", "--format", "json")
    #expect(try tool.json()["isUpToDate"] as? Bool == true)
  }

  @Test func thePlanTellsEverythingAndChangesNothing() throws {
    let (folder, store) = try Library.full()
    let before = try folder.contents()
    let tool = try migrate(store, "--to", folder.model, "--version", "Library 2", "--plan")
    #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
    #expect(
      tool.output.contains(
        """
          Book: transformed, table ZBOOK rebuilt, 3 objects
            isRead: added, with the value 0
            name: renamed from title
            year: from Integer 64 to Integer 32
            pages: removed

        """), "\(tool.output)")
    #expect(tool.output.contains("  As before (2 objects): Person\n"))
    #expect(tool.output.contains("  Checked, and no row is in the way: Book.year: "))
    #expect(tool.output.contains("  SQL, which touches about "))
    #expect(tool.output.contains("ZISREAD"))
    #expect(try folder.contents() == before)
    // The second step is planned with a copy.
    let whole = try migrate(store, "--to", folder.model, "--plan")
    #expect(whole.output.contains("Step 2 of 2: “Library 2” -> “Library 10”: lightweight\n"))
    #expect(whole.output.contains("    heading: renamed from name\n"))
    #expect(try folder.contents() == before)
    let json = try migrate(store, "--to", folder.model, "--plan", "--format", "json").json()
    let steps = try #require(json["steps"] as? [[String: Any]])
    #expect(steps.map { $0["isLightweight"] as? Bool } == [true, true])
    #expect(steps.map { $0["rowsTouched"] as? Int }.allSatisfy { $0 != nil })
    let statements = steps.flatMap { $0["statements"] as? [String] ?? [] }
    #expect(statements.contains { $0.contains("ZHEADING") }, "\(statements)")
  }

  @Test func aRehearsalChangesNothing() throws {
    let (folder, store) = try Library.full()
    let before = try folder.contents()
    let tool = try migrate(store, "--to", folder.model, "--rehearse")
    #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
    #expect(tool.output.contains("values of 5 objects are as they must be."))
    #expect(tool.output.hasSuffix("thrown away. The store is as it was.\n"))
    #expect(try folder.contents() == before)
  }

  @Test func whatIsInTheLogAloneIsRehearsedBackedUpAndMigrated() throws {
    let (folder, original) = try Library.full()
    // As a process leaves them that is killed.
    let database = try PlainConnection(URL(fileURLWithPath: original))
    try database.run("PRAGMA journal_mode=wal; PRAGMA wal_autocheckpoint=0; UPDATE ZPERSON SET ZNAME = 'Cleo'")
    let store = folder.store("Killed.sqlite").path
    for suffix in ["", "-wal"] { try FileManager.default.copyItem(atPath: original + suffix, toPath: store + suffix) }
    try FileManager.default.copyItem(
      at: folder.store(".Store_SUPPORT"), to: folder.store(".Killed_SUPPORT"))
    let before = try folder.contents()
    #expect(before["Killed.sqlite-wal"]?.isEmpty == false)
    for option in ["--plan", "--rehearse"] {
      #expect(try migrate(store, "--to", folder.model, option).status == 0)
      #expect(try folder.contents() == before)
    }
    #expect(try migrate(store, "--to", folder.model, "--verify").status == 0)
    for (name, version) in [("Killed.sqlite", "Library 10"), ("Killed-backup.sqlite", "Library")] {
      let names = try folder.work(version, name) {
        try $0.all("Person", by: "name").map { $0.value(forKey: "name") as? String }
      }
      #expect(names == ["Cleo", "Cleo"])
    }
    withExtendedLifetime(database) {}
  }

  @Test func backupsHaveNamesThatNothingHas() throws {
    let (folder, store) = try Library.full()
    try Data("mine".utf8).write(to: folder.store("Store-backup.sqlite"))
    let first = try migrate(store, "--to", folder.model, "--version", "Library 2")
    #expect(first.output.contains(folder.store("Store-backup-2.sqlite").path))
    #expect(try migrate(store, "--to", folder.model).output.contains(folder.store("Store-backup-3.sqlite").path))
    #expect(try Data(contentsOf: folder.store("Store-backup.sqlite")) == Data("mine".utf8))
    #expect(try titles(folder, "Library 2", "name", "Store-backup-3.sqlite") == ["Book 1", "Book 2", "Book 3"])
  }

  @Test func withoutABackup() throws {
    let (folder, store) = try Library.full()
    let tool = try migrate(store, "--to", folder.model, "--no-backup", "--verify")
    #expect(tool.status == 0 && tool.output.hasSuffix("There is no backup.\n"), "\(tool.errors)")
    #expect(try folder.names() == [".Store_SUPPORT", "Store.sqlite"])
    #expect(try titles(folder, "Library 10", "heading") == ["Book 1", "Book 2", "Book 3"])
  }

  @Test(arguments: [NSXMLStoreType, NSBinaryStoreType]) func storesInOneFile(type: String) throws {
    let (folder, store) = try Library.full(type)
    let before = try folder.contents()
    let plan = try migrate(store, "--to", folder.model, "--version", "Library 2", "--plan")
    #expect(plan.output.contains("  Book: transformed, 3 objects\n"), "\(plan.output)\(plan.errors)")
    #expect(plan.output.contains("the file is written anew."))
    #expect(try migrate(store, "--to", folder.model, "--rehearse").status == 0)
    #expect(try folder.contents() == before)
    let tool = try migrate(store, "--to", folder.model, "--verify")
    #expect(tool.output.contains("values of 5 objects are as they must be."), "\(tool.output)\(tool.errors)")
    #expect(try folder.contents()["Store-backup.sqlite"] == before["Store.sqlite"])
    let titles = try folder.work("Library 10", type: type) {
      try $0.all("Book", by: "year").map { $0.value(forKey: "heading") as? String }
    }
    #expect(titles == ["Book 1", "Book 2", "Book 3"])
  }

  @Test func whatIsLostIsTold() throws {
    let folder = try Library.folder(["Library", "NoBooks"], current: "NoBooks")
    let store = try folder.make("Library", fill: Library.fill)
    let loss = "  LOST: 3 objects of Book, which “NoBooks” does not have.\n"
    for option in ["--plan", "--rehearse", "--verify"] {
      let tool = try migrate(store, "--to", folder.model, option)
      #expect(tool.status == 0 && tool.output.contains(loss), "\(tool.output)\(tool.errors)")
    }
  }

  @Test func theStoresOwnCopyOfItsModelDoes() throws {
    let (folder, store) = try Library.full()
    let other = try Library.folder(["Library 2"], current: "Library 2")
    let tool = try migrate(store, "--to", other.model, "--verify")
    #expect(tool.output.contains("“the store's own model” -> “Library 2”: lightweight"), "\(tool.errors)")
    #expect(try titles(folder, "Library 2", "name") == ["Book 1", "Book 2", "Book 3"])
  }

  @Test func olderVersionsAreReachedToo() throws {
    let (folder, _) = try Library.full()
    let store = try folder.make("Library 2", "New.sqlite") { $0.make("Book", ["name": "A"]) }
    let tool = try migrate(store, "--to", folder.model, "--version", "Library")
    #expect(tool.status == 0)
    #expect(tool.output.contains("Note: “Library” is older than “Library 2”, as their names tell"), "\(tool.errors)")
  }
}
