import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that may not be written, and stores that somebody else has locked.
@Suite struct PermissionTests {
  private func store() throws -> URL {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      _ = context.make("Author", ["name": "Ann"])
      try context.save()
    }
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    return url
  }

  @Test(.enabled(if: Nobody.isPossible)) func fileThatCannotBeWritten() throws {
    let url = try store()
    let folder = url.deletingLastPathComponent()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    let error = try Nobody.run { try refusal(url) }
    #expect(error.code == CocoaError.Code.fileWriteNoPermission.rawValue)
  }

  @Test(.enabled(if: Nobody.isPossible)) func fileThatCannotBeWrittenInAFolderThatCan() throws {
    let url = try store()
    let folder = url.deletingLastPathComponent()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
    let error = try Nobody.run { try refusal(url) }
    #expect(error.code == CocoaError.Code.fileWriteNoPermission.rawValue)
  }

  @Test(.enabled(if: Nobody.isPossible)) func fileThatCannotBeRead() throws {
    let url = try store()
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let error = Nobody.run {
      #expect(throws: NSError.self) {
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
      }
    }
    let codes = [CocoaError.Code.fileReadUnknown.rawValue, CocoaError.Code.fileReadNoPermission.rawValue]
    #expect(codes.contains(error?.code ?? 0))
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
  }

  @Test func readOnlyStoreReadsAndRefusesToSave() throws {
    let url = try store()
    let before = try Data(contentsOf: url)
    let description = NSPersistentStoreDescription(url: url)
    description.isReadOnly = true
    let container = NSPersistentContainer(name: "Library", managedObjectModel: TestModel.library())
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let author = try #require(try context.all("Author").first)
      #expect(author.value(forKey: "name") as? String == "Ann")
      author.setValue("Eve", forKey: "name")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
      #expect(author.hasChanges && author.value(forKey: "name") as? String == "Eve")
    }
    #expect(try Data(contentsOf: url) == before)
  }

  /// As in an application's bundle: SQLite cannot make the files that it wants beside a database with a log.
  @Test(.enabled(if: Nobody.isPossible)) func readOnlyStoreInAFolderThatCannotBeWritten() throws {
    let url = try store()
    let folder = url.deletingLastPathComponent()
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: url.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.path)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try Nobody.run {
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url,
        options: [NSReadOnlyPersistentStoreOption: NSNumber(true)])
      let names = try coordinator.inContext { try $0.names("Author") }
      #expect(names == ["Ann"])
      try coordinator.remove(store)
    }
    #expect(try FolderContents(folder).files.keys.sorted() == ["Store.sqlite"])
  }

  /// What SQLite makes beside the file for a reader is gone when the store is closed, but not under another's feet.
  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func readOnlyStoreLeavesNothingBehind() throws {
    let url = try store()
    let folder = url.deletingLastPathComponent()
    let before = try FolderContents(folder)
    let options: [AnyHashable: Any] = [NSReadOnlyPersistentStoreOption: NSNumber(true)]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    func readAndClose() throws {
      let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
      #expect(try coordinator.inContext { try $0.names("Author") } == ["Ann"])
      try coordinator.remove(store)
    }
    try readAndClose()
    #expect(try FolderContents(folder) == before)
    let other = try OtherProcess(url)
    try other.run("SELECT COUNT(*) FROM ZAUTHOR;")
    try readAndClose()
    #expect(try other.run("UPDATE ZAUTHOR SET ZAGE = 5; SELECT COUNT(*) FROM ZAUTHOR;") == ["1"])
    try readAndClose()
    #expect(try other.run("PRAGMA integrity_check;") == ["ok"])
    #expect(try Shell.sql(url, "SELECT ZAGE FROM ZAUTHOR") == ["5"])
  }

  @Test func readOnlyStoreThatIsNotThere() throws {
    let error = try refusal(try TestModel.temporaryFile(), options: [NSReadOnlyPersistentStoreOption: NSNumber(true)])
    #expect(error.code == CocoaError.Code.fileReadNoSuchFile.rawValue)
  }

  private let brief: [AnyHashable: Any] = [NSPersistentStoreTimeoutOption: NSNumber(value: 0.5)]

  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func openingAFileThatIsLocked() throws {
    let url = try store()
    try Shell.sql(url, "PRAGMA journal_mode = DELETE")
    let other = try OtherProcess(url)
    try other.run("BEGIN EXCLUSIVE;")
    let error = try refusal(url, options: brief)
    #expect(error.code == NSPersistentStoreTimeoutError)
    try other.run("COMMIT;")
    try TestModel.coordinator(TestModel.library(), url: url).addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
  }

  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func savingWhileAnotherProcessWrites() throws {
    let url = try store()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: brief)
    let other = try OtherProcess(url)
    try other.run("BEGIN IMMEDIATE; UPDATE ZAUTHOR SET ZAGE = 7, Z_OPT = Z_OPT + 1;")
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      #expect(try context.all("Author").count == 1)
      let tag = context.make("Tag", ["name": "new"])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSPersistentStoreTimeoutError)
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == url.path)
      #expect(tag.isInserted && tag.objectID.isTemporaryID)
      try other.run("COMMIT;")
      try context.save()
      #expect(!tag.objectID.isTemporaryID)
      #expect(try context.all("Author").first?.value(forKey: "age") as? Int == 7)
    }
  }

  /// Without a write-ahead log readers wait for writers, too. A read that failed does not spoil the next one.
  @Test(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) func readingWhileAnotherProcessHasTheFileLocked() throws
  {
    let url = try store()
    try Shell.sql(url, "PRAGMA journal_mode = DELETE")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let options = brief.merging([NSSQLitePragmasOption: ["journal_mode": "DELETE"]]) { $1 }
    try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    let context = TestModel.context(coordinator)
    let other = try OtherProcess(url)
    for _ in 0..<2 {
      try other.run("BEGIN EXCLUSIVE;")
      context.performAndWait {
        let error = #expect(throws: NSError.self) { try context.all("Author") }
        #expect(error?.code == NSPersistentStoreTimeoutError)
      }
      try other.run("COMMIT;")
      let count = try context.performAndWait { try context.all("Author").count + context.all("Author").count }
      #expect(count == 2)
    }
  }

  @Test func fullDiskOrWrongPragmaLeavesNoHalfStore() throws {
    let url = try TestModel.temporaryFile()
    let pragmas: [AnyHashable: Any] = [NSSQLitePragmasOption: ["max_page_count": "3"]]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let error = #expect(throws: NSError.self) {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: pragmas)
    }
    #expect(error?.code == CocoaError.Code.fileWriteOutOfSpace.rawValue)
    let context = TestModel.context(try TestModel.coordinator(TestModel.library(), url: url))
    let authors = try context.performAndWait { try context.all("Author").count }
    #expect(authors == 0)
  }
}
