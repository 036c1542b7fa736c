import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores destroyed: closed, open, locked, damaged, and places that are none.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct DestroyTests {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())

  private func destroy(_ url: URL, _ options: [AnyHashable: Any]? = nil) throws {
    try coordinator.destroyPersistentStore(at: url, type: .sqlite, options: options)
  }

  /// What is left beside an emptied store: nothing.
  private func remains(_ url: URL) throws -> Bool {
    try FileStore.files(beside: url) == [url.lastPathComponent]
      && Shell.sql(url, "SELECT COUNT(*) FROM sqlite_master") == ["0"]
  }

  @Test func anEmptiedFileIsLeft() throws {
    let url = try FileStore.make(["A"])
    _ = try FileStore.addExternalValue(Data([1, 2, 3]), to: url, author: "x")
    let neighbour = try FileStore.make(
      ["N"], at: url.deletingLastPathComponent().appendingPathComponent("Other.sqlite"))
    try destroy(url)
    #expect(try FileStore.files(beside: url) == ["Other.sqlite", url.lastPathComponent].sorted())
    try destroy(url)
    #expect(try FileStore.names(at: neighbour) == ["N"])
    _ = try FileStore.make(["new"], at: url)
    #expect(try FileStore.names(at: url) == ["new"])
  }

  /// As clients do it: destroy, remove the file, make the store again.
  @Test func theFileCanBeRemovedNext() throws {
    let url = try FileStore.make(["A"])
    try destroy(url)
    try FileManager.default.removeItem(at: url)
    _ = try FileStore.make(["new"], at: url)
    #expect(try FileStore.names(at: url) == ["new"])
  }

  /// Clients remove the file next, with a call that throws where there is none.
  @Test func anEmptiedFileIsLeftWhereNothingWas() throws {
    let url = try TestModel.temporaryFile()
    for _ in 0..<2 {
      try destroy(url)
      #expect(try remains(url))
      try FileManager.default.removeItem(at: url)
    }
    try destroy(url)
    _ = try FileStore.make(["new"], at: url)
    #expect(try FileStore.names(at: url) == ["new"])
    // By a link that leads nowhere yet, and by one whose folder is missing.
    let link = url.deletingLastPathComponent().appendingPathComponent("Link.sqlite")
    let target = url.deletingLastPathComponent().appendingPathComponent("Target.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
    try destroy(link)
    #expect(try Shell.sql(target, "SELECT COUNT(*) FROM sqlite_master") == ["0"])
  }

  @Test func nothingIsMadeWhereTheFolderIsMissing() throws {
    let folder = try TestModel.temporaryFile().deletingLastPathComponent().appendingPathComponent("missing")
    try destroy(folder.appendingPathComponent("Store.sqlite"))
    #expect(!FileManager.default.fileExists(atPath: folder.path))
    // Of a store of one file nothing is left where there was one, and nothing comes where there was none.
    let url = try TestModel.temporaryFile()
    for type in [NSXMLStoreType, NSBinaryStoreType] {
      try coordinator.destroyPersistentStore(at: url, ofType: type)
      #expect(!FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func whatIsLeftIsNoStore() throws {
    let url = try FileStore.make(["A"])
    try destroy(url)
    #expect(
      FileStore.code {
        _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
      } == 259)
    #expect(FileStore.code { _ = try FileStore.open(url, [NSReadOnlyPersistentStoreOption: true]) } == 513)
    #expect(try remains(url))
    // As Apple's framework leaves it, without our mark.
    try Shell.sql(url, "PRAGMA user_version = 0")
    #expect(FileStore.code { _ = try FileStore.open(url, [NSReadOnlyPersistentStoreOption: true]) } == 513)
    _ = try FileStore.make(["new"], at: url)
    #expect(try FileStore.names(at: url) == ["new"])
  }

  @Test func aDestroyedStoreLeavesItsCoordinator() throws {
    let url = try FileStore.make(["A"])
    let open = try FileStore.open(url)
    let store = try #require(open.persistentStores.first)
    nonisolated(unsafe) var told: [String] = []
    let observers = [
      NSNotification.Name.NSPersistentStoreCoordinatorWillRemoveStore, .NSPersistentStoreCoordinatorStoresDidChange,
    ].map { name in
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { note in
        if note.object as AnyObject? === store || note.object as AnyObject? === open { told.append(name.rawValue) }
      }
    }
    defer { observers.forEach(NotificationCenter.default.removeObserver) }
    try open.destroyPersistentStore(at: url, type: .sqlite)
    #expect(open.persistentStores.isEmpty && store.persistentStoreCoordinator == nil && told.count == 2)
    try open.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    try FileStore.add(["again"], to: open)
    try FileStore.close(open)
    #expect(try FileStore.names(at: url) == ["again"])
  }

  @Test func storesOfOneFileAreRemoved() throws {
    let url = try TestModel.temporaryFile()
    for type in [NSXMLStoreType, NSBinaryStoreType] {
      try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
      try coordinator.inContext { context in
        _ = context.make("Author", ["name": "A"])
        try context.save()
      }
      try coordinator.destroyPersistentStore(at: url, ofType: type)
      #expect(coordinator.persistentStores.isEmpty && !FileManager.default.fileExists(atPath: url.path))
    }
  }

  @Test func leftoversOfAStoreGoToo() throws {
    let url = try FileStore.make(["A"])
    let coordinator = try FileStore.open(url)
    try FileStore.add(["in the log"], to: coordinator)
    let copy = try FileStore.crashedCopy(of: url)
    try Data([1]).write(to: URL(fileURLWithPath: copy.path + "-shm"))
    try destroy(copy)
    #expect(try remains(copy))
    try FileManager.default.removeItem(at: copy)
    for suffix in ["-wal", "-journal"] { try Data([1]).write(to: URL(fileURLWithPath: copy.path + suffix)) }
    try destroy(copy)
    #expect(try remains(copy))
    try FileStore.close(coordinator)
  }

  @Test func whoHasItOpenNoticesAndHarmsNoNewStore() throws {
    let url = try FileStore.make(["A", "B"])
    let open = try FileStore.open(url)
    let context = TestModel.context(open)
    try context.performAndWait {
      let authors = try context.all("Author", sortedBy: "name")
      authors[0].setValue("changed", forKey: "name")
      try destroy(url)
      #expect(try Shell.sql(url, "SELECT COUNT(*) FROM sqlite_master") == ["0"])
      let isRefused = FileStore.code { _ = try context.all("Author") } != nil
      #expect(isRefused)
      #expect(FileStore.code { try context.save() } != nil)
    }
    _ = try FileStore.make(["new"], at: url)
    #expect(FileStore.code { try FileStore.add(["lost"], to: open) } != nil)
    try FileStore.close(open)
    #expect(try Shell.sql(url, "PRAGMA integrity_check; SELECT ZNAME FROM ZAUTHOR") == ["ok", "new"])
  }

  @Test func anotherProcessNoticesToo() throws {
    let url = try FileStore.make(["A"])
    let other = try OtherProcess(url)
    #expect(try other.run("SELECT ZNAME FROM ZAUTHOR;") == ["A"])
    try destroy(url)
    #expect(try other.run("SELECT COUNT(*) FROM sqlite_master;") == ["0"])
  }

  @Test func aStoreThatStaysLockedStays() throws {
    let url = try FileStore.make(["A"])
    let other = try OtherProcess(url)
    try other.run("BEGIN IMMEDIATE;")
    #expect(FileStore.code { try destroy(url, [NSPersistentStoreTimeoutOption: 0.1]) } == NSPersistentStoreTimeoutError)
    #expect(try other.run("COMMIT; SELECT ZNAME FROM ZAUTHOR;") == ["A"])
    #expect(try FileStore.names(at: url) == ["A"])
    try other.run("BEGIN IMMEDIATE;")
    try destroy(url, [NSPersistentStoreTimeoutOption: 0.1, NSPersistentStoreForceDestroyOption: true])
    #expect(try remains(url))
  }

  @Test func whatIsNoStoreStaysUnlessForced() throws {
    let folder = try TestModel.temporaryFile().deletingLastPathComponent()
    let text = folder.appendingPathComponent("text"), database = folder.appendingPathComponent("database")
    try Data("some text".utf8).write(to: text)
    try Shell.sql(database, "CREATE TABLE people (name)")
    let before = try FolderContents(folder)
    let force: [AnyHashable: Any] = [NSPersistentStoreForceDestroyOption: true]
    #expect(FileStore.code { try destroy(text) } == 259)
    #expect(FileStore.code { try destroy(database) } == 259)
    #expect(FileStore.code { try destroy(folder, force) } == 256)
    #expect(FileStore.code { try destroy(URL(fileURLWithPath: "/dev/zero"), force) } == 256)
    #expect(FileStore.code { try destroy(URL(string: "https://example.org/a")!) } == NSPersistentStoreOpenError)
    let code = FileStore.code { try coordinator.destroyPersistentStore(at: text, ofType: "Papyrus") }
    #expect(code == NSPersistentStoreInvalidTypeError)
    try destroy(URL(fileURLWithPath: "/dev/null"), force)
    #expect(FileManager.default.fileExists(atPath: "/dev/null"))
    #expect(try FolderContents(folder) == before)
    try destroy(text, force)
    try destroy(database, force)
    #expect(try FileStore.files(beside: text) == ["database", "text"])
    #expect(try Shell.sql(text, "SELECT COUNT(*) FROM sqlite_master") == ["0"])
  }

  @Test(arguments: [60, 5000, -1]) func damagedStoresAreEmptied(size: Int) throws {
    let url = try FileStore.make((0..<200).map { "Author \($0)" })
    var bytes = try Data(contentsOf: url)
    if size > 0 { bytes = bytes.prefix(size) } else { bytes.replaceSubrange(100..<9000, with: Data(count: 8900)) }
    try bytes.write(to: url)
    try destroy(url)
    #expect(try remains(url))
    _ = try FileStore.make(["new"], at: url)
    #expect(try FileStore.names(at: url) == ["new"])
  }

  @Test func aStoreWithoutALogAndOneWithAnUnfinishedCommit() throws {
    let url = try FileStore.make(["A"], options: [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    let open = try FileStore.open(url, [NSSQLitePragmasOption: ["journal_mode": "DELETE"]])
    let context = TestModel.context(open)
    try context.performAndWait {
      // Its transaction is idle and is taken back.
      _ = try context.all("Author")
      try destroy(url)
    }
    #expect(try remains(url))
  }

  @Test func whatALinkLeadsToIsEmptied() throws {
    let url = try FileStore.make(["A"])
    let link = url.deletingLastPathComponent().appendingPathComponent("Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    try destroy(link)
    #expect(try FileStore.files(beside: url) == ["Link.sqlite", url.lastPathComponent].sorted())
    #expect(try Shell.sql(url, "SELECT COUNT(*) FROM sqlite_master") == ["0"])
  }

  /// The folder is named without the store's extension.
  @Test func storesOfOneNameKeepTheirOwnValues() throws {
    let url = try FileStore.make(["A"])
    let other = try FileStore.make(["B"], at: url.deletingPathExtension().appendingPathExtension("db"))
    let gone = try FileStore.addExternalValue(Data([1]), to: url, author: "a")
    let kept = try FileStore.addExternalValue(Data([2]), to: other, author: "b")
    try destroy(url)
    #expect(!FileManager.default.fileExists(atPath: gone.path) && FileManager.default.fileExists(atPath: kept.path))
    try destroy(other)
    #expect(!FileManager.default.fileExists(atPath: kept.path))
    #expect(try Shell.sql(other, "SELECT COUNT(*) FROM sqlite_master") == ["0"])
  }
}
