import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Copies made while others write.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct BackupTests {
  @Test func aCopyIsAStoreOfItsOwn() throws {
    let url = try FileStore.make(["A"]), copy = try TestModel.temporaryFile("Copy.sqlite")
    let coordinator = try FileStore.open(url)
    try FileStore.add(["B"], to: coordinator)
    let progress = Progress(totalUnitCount: 1)
    try coordinator.backUp(coordinator.persistentStores[0], to: copy, progress: progress)
    #expect(progress.totalUnitCount > 5 && progress.completedUnitCount == progress.totalUnitCount)
    #expect(try FileStore.files(beside: copy) == ["Copy.sqlite"])
    try FileStore.add(["C"], to: coordinator)
    #expect(try FileStore.names(at: copy) == ["A", "B"])
    try FileStore.add(["D"], to: FileStore.open(copy))
    #expect(try FileStore.names(coordinator) == ["A", "B", "C"])
  }

  @Test func privateStoresCanBeKept() throws {
    let coordinator = try FileStore.open(URL(fileURLWithPath: "/dev/null"))
    try FileStore.add(["A"], to: coordinator)
    let copy = try TestModel.temporaryFile()
    try coordinator.backUp(coordinator.persistentStores[0], to: copy)
    #expect(try FileStore.names(at: copy) == ["A"])
  }

  @Test func placesThatAreTaken() throws {
    let url = try FileStore.make(["A"])
    let folder = url.deletingLastPathComponent()
    let before = try FolderContents(folder)
    func code(_ from: URL, _ to: URL, _ progress: Progress? = nil) -> Int? {
      FileStore.code { try NSPersistentStoreCoordinator.backUpPersistentStore(at: from, to: to, progress: progress) }
    }
    let none = folder.appendingPathComponent("none")
    #expect(code(url, url) == 516)
    #expect(code(url, folder) == 516)
    #expect(code(url, none.appendingPathComponent("deeper")) == 256)
    #expect(code(none, folder.appendingPathComponent("copy")) == 260)
    let cancelled = Progress(totalUnitCount: 1)
    cancelled.cancel()
    #expect(code(url, none, cancelled) == CocoaError.Code.userCancelled.rawValue)
    #expect(try FolderContents(folder) == before)
  }

  /// Every save adds one to an author's age and takes one from another's, and exchanges an external value.
  @Test(arguments: ["wal", "delete"]) func whileAWriterWrites(journal: String) throws {
    let model = TestModel.library()
    model.entitiesByName["Book"]?.attributesByName["cover"]?.allowsExternalBinaryDataStorage = true
    let url = try TestModel.temporaryFile()
    let options: [AnyHashable: Any] = [NSSQLitePragmasOption: ["journal_mode": journal]]
    let coordinator = try FileStore.open(url, options, model)
    try coordinator.inContext { (context) throws in
      for number in 0..<2000 { _ = context.make("Author", ["name": "filler \(number)"]) }
      for name in ["first", "second"] { _ = context.make("Author", ["name": name, "age": 0]) }
      try context.save()
    }
    let isOver = Atomic(false), saves = Atomic(0)
    let copies = try (0..<5 * Soak.factor).map { _ in try TestModel.temporaryFile("Copy.sqlite") }
    Soak.threads(2) { number in
      if number == 1 {
        defer { isOver.store(true, ordering: .releasing) }
        for copy in copies {
          let before = saves.load(ordering: .acquiring)
          _ = Soak.wait { saves.load(ordering: .acquiring) > before + 1 }
          try NSPersistentStoreCoordinator.backUpPersistentStore(at: url, to: copy)
        }
        return
      }
      try coordinator.inContext { (context) throws in
        let first = try context.named("first", "Author"), second = try context.named("second", "Author")
        while !isOver.load(ordering: .acquiring) {
          let age = saves.load(ordering: .acquiring) + 1
          first.setValue(age % 1000, forKey: "age")
          second.setValue(-(age % 1000), forKey: "age")
          try context.save()
          saves.store(age, ordering: .releasing)
        }
      }
    }
    var ages: Set<String> = []
    for copy in copies {
      #expect(try FileStore.files(beside: copy) == ["Copy.sqlite"])
      #expect(
        try Shell.sql(copy, "PRAGMA integrity_check; SELECT SUM(ZAGE), COUNT(*) FROM ZAUTHOR") == ["ok", "0|2002"])
      ages.formUnion(try Shell.sql(copy, "SELECT ZAGE FROM ZAUTHOR WHERE ZNAME = 'first'"))
    }
    #expect(ages.count == copies.count)
  }

  /// Another program exchanges the value's file all the time, as a save does: the new file, the row, the old file.
  @Test func externalValuesBelongToTheRowsOfTheCopy() throws {
    let url = try FileStore.make(["A"])
    let first = try FileStore.addExternalValue(Data([1]), to: url, author: "x")
    let folder = first.deletingLastPathComponent()
    let isOver = Atomic(false)
    let copies = try (0..<8 * Soak.factor).map { _ in try TestModel.temporaryFile("Copy.sqlite") }
    let other = try OtherProcess(url)
    nonisolated(unsafe) let process = other
    Soak.threads(2) { number in
      if number == 1 {
        defer { isOver.store(true, ordering: .releasing) }
        for copy in copies { try NSPersistentStoreCoordinator.backUpPersistentStore(at: url, to: copy) }
        return
      }
      var old = first
      _ = try process.run("PRAGMA busy_timeout = 900000;")
      while !isOver.load(ordering: .acquiring) {
        let name = UUID().uuidString
        try Data(name.utf8).write(to: folder.appendingPathComponent(name))
        let value = "02" + name.utf8.map { String(format: "%02X", Int($0)) }.joined() + "00"
        try process.run("UPDATE ZBOOK SET ZCOVER = x'\(value)';")
        try FileManager.default.removeItem(at: old)
        old = folder.appendingPathComponent(name)
      }
    }
    for copy in copies {
      let name = try #require(try Shell.sql(copy, "SELECT CAST(substr(ZCOVER, 2, 36) AS TEXT) FROM ZBOOK").first)
      let values = ExternalStorage.supportFolder(forStoreAt: copy).appendingPathComponent("_EXTERNAL_DATA")
      #expect(try FileManager.default.contentsOfDirectory(atPath: values.path) == [name])
    }
  }
}
