import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Saves that fail leave neither files behind nor rows without theirs.
@Suite struct ExternalFailureTests {
  typealias Fixture = ExternalFixture

  private func files(_ store: Fixture) throws -> Set<String> {
    let files = store.files()
    #expect(try files == store.references())
    return files
  }

  @Test func aViolatedConstraint() throws {
    let store = try Fixture()
    try store.inContext { context in
      let kept = context.make("Picture", ["name": "a", "data": Fixture.large])
      let gone = context.make("Picture", ["name": "b", "data": Fixture.bytes(150_000, 2)])
      try context.save()
      let before = try files(store)
      kept.setValue(Fixture.bytes(150_000, 3), forKey: "data")
      context.delete(gone)
      let twin = context.make("Picture", ["name": "a", "data": Fixture.bytes(150_000, 4)])
      for _ in 0..<2 {
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSManagedObjectConstraintMergeError)
        #expect(try files(store) == before)
      }
      #expect(kept.value(forKey: "data") as? Data == Fixture.bytes(150_000, 3))
      twin.setValue("c", forKey: "name")
      try context.save()
      #expect(try files(store).count == 2 && files(store).isDisjoint(with: before))
    }
  }

  @Test func aConflict() throws {
    let store = try Fixture()
    try store.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      try store.inContext { other in
        try other.named("a", "Picture").setValue("b", forKey: "name")
        try other.save()
      }
      let before = try files(store)
      picture.setValue(Fixture.bytes(150_000, 2), forKey: "data")
      #expect(throws: NSError.self) { try context.save() }
      #expect(try files(store) == before && store.onlyFile() == Fixture.large)
      context.refresh(picture, mergeChanges: true)
      try context.save()
      #expect(try files(store).isDisjoint(with: before) && store.onlyFile() == Fixture.bytes(150_000, 2))
    }
  }

  @Test func aFolderThatCannotBeMade() throws {
    let store = try Fixture()
    let support = ExternalStorage.supportFolder(forStoreAt: store.file)
    try Data().write(to: URL(fileURLWithPath: support.path))
    try store.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.domain == NSCocoaErrorDomain && error?.code == CocoaError.Code.fileWriteUnknown.rawValue)
      #expect((error?.userInfo[NSFilePathErrorKey] as? String)?.hasPrefix(support.path) == true)
      #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.domain == NSPOSIXErrorDomain)
      #expect(try store.sql("SELECT COUNT(*) FROM ZPICTURE") == [["0"]] && context.insertedObjects == [picture])
      try FileManager.default.removeItem(atPath: support.path)
      try context.save()
      #expect(try files(store).count == 1)
    }
  }

  @Test func aFolderThatCannotBeWritten() throws {
    let store = try Fixture()
    try store.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      let before = try files(store)
      try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: store.folder.path)
      defer { try? FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: store.folder.path) }
      picture.setValue(Fixture.bytes(150_000, 2), forKey: "data")
      _ = context.make("Picture", ["name": "b"])
      let error = #expect(throws: NSError.self) { try Nobody.run { try context.save() } }
      #expect(error?.code == CocoaError.Code.fileWriteNoPermission.rawValue)
      #expect(try files(store) == before && store.onlyFile() == Fixture.large)
      #expect(try store.sql("SELECT ZNAME, Z_OPT FROM ZPICTURE") == [["a", "1"]])
    }
  }

  @Test func aFileThatCannotBeFinished() async throws {
    await #expect(processExitsWith: .success) {
      let store = try Fixture()
      try store.inContext { context in
        // From now on no file of this process may grow longer, as on a disk that is full.
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 250_000, rlim_max: 250_000)
        setrlimit(__rlimit_resource_t(1), &limit)
        let picture = context.make("Picture", ["name": "a", "data": Fixture.bytes(300_000)])
        _ = context.make("Picture", ["name": "b", "data": Fixture.large])
        var code = 0
        do { try context.save() } catch { code = (error as NSError).code }
        guard code == CocoaError.Code.fileWriteUnknown.rawValue, store.files().isEmpty else { exit(1) }
        picture.setValue(Fixture.bytes(200_000), forKey: "data")
        try context.save()
        guard store.files().count == 2, try store.files() == store.references() else { exit(2) }
      }
    }
  }

  @Test func rollingBackAContextWritesNothing() throws {
    let store = try Fixture()
    try store.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      let before = try files(store)
      picture.setValue(Fixture.bytes(150_000, 2), forKey: "data")
      _ = context.make("Picture", ["name": "b", "data": Fixture.large])
      context.rollback()
      try context.save()
      #expect(try files(store) == before && picture.value(forKey: "data") as? Data == Fixture.large)
    }
  }
}
