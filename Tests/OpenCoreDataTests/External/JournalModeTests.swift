import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values in files of stores without a write-ahead log: a commit waits for all who read, and is on the disk when its journal is
/// gone.
@Suite struct JournalModeTests {
  typealias Fixture = ExternalFixture
  private static let modes = ["DELETE", "TRUNCATE", "PERSIST"]

  private func open(_ file: URL, _ mode: String) throws -> NSPersistentStoreCoordinator {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [NSSQLitePragmasOption: ["journal_mode": mode]])
    return coordinator
  }

  @Test(arguments: modes) func valuesAreReplacedAndDeleted(mode: String) throws {
    let file = try TestModel.temporaryFile()
    let writer = try open(file, mode), reader = try open(file, mode)
    let store = try Fixture(at: file)
    try store.coordinator.remove(store.coordinator.persistentStores[0])
    func value() throws -> Data? {
      try reader.inContext { try $0.named("a", "Picture").value(forKey: "data") as? Data }
    }
    try writer.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      #expect(try value() == Fixture.large)
      for seed: UInt8 in 2...5 {
        picture.setValue(Fixture.bytes(150_000, seed), forKey: "data")
        try context.save()
        // The old file is gone at once: nobody can read an older state.
        #expect(store.files().count == 1)
        #expect(try value() == Fixture.bytes(150_000, seed))
      }
      context.delete(picture)
      try context.save()
      #expect(store.files() == [])
    }
    for coordinator in [writer, reader] { try coordinator.remove(coordinator.persistentStores[0]) }
    #expect(try StoreCheck.errors(file) == [])
  }

  /// A reader in the middle of its statement keeps the writer waiting, and the file with it.
  @Test(arguments: modes) func whoReadsKeepsTheFile(mode: String) throws {
    let file = try TestModel.temporaryFile()
    let writer = NSPersistentStoreCoordinator(managedObjectModel: Fixture.model())
    try writer.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: file,
      options: [NSSQLitePragmasOption: ["journal_mode": mode], NSPersistentStoreTimeoutOption: 0.05])
    let folder = URL(fileURLWithPath: ExternalStorage(storePath: file.path).folder)
    func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
    try writer.inContext { context in
      let picture = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      let old = try files()
      let other = try SQLiteConnection(path: file.path, readOnly: true, create: false, timeout: 5, pragmas: [])
      try other.execute("BEGIN")
      #expect(try other.integer("SELECT COUNT(*) FROM ZPICTURE") == 1)
      picture.setValue(Fixture.bytes(150_000, 2), forKey: "data")
      #expect(throws: NSError.self) { try context.save() }
      #expect(try files() == old)
      try other.execute("COMMIT")
      try context.save()
      #expect(try files().count == 1 && files() != old)
    }
  }
}
