import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Processes that are killed while they migrate: the store is the old one or the new one, and goes on as that.
@Suite struct KilledMigrationTests {
  private static let seed = SeededGenerator.makeSeed(for: "killed migrations")
  private static let stores = 0..<min(200, 8 * Soak.factor)

  @Test(arguments: stores) func theStoreIsOldOrNew(number: Int) async throws {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(number))
    let options = KilledMigration.options(number)
    let store = try MigratedStore.make(
      try KilledMigration.before(), try KilledMigration.after(), objects: 150, seed: UInt64(number), options: options)
    let (before, offsets) = (try StoreImage(store.url, store.migration.source), try store.offsets())
    let same = InferredMigration(from: store.migration.source, to: store.migration.source)
    let share = Double.random(in: 0...1.1, using: &random)
    let path = store.url.path
    let name = "store \(number), SEED=\(Self.seed)"
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, number = number as Int, share = share as Double] in
      try KilledMigration.run(path, mode: number, share: share)
    }
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.url)
    let isNew = store.migration.destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    print("\(name): \(isNew ? "new" : "old") after \(share) of its time")
    if !isNew {
      #expect(try StoreImage(store.url, store.migration.source).differences(from: before, by: same) == [], "\(name)")
      #expect(try StoreCheck.errors(store.url) == [], "\(name)")
      try store.inPlace().run()
    }
    let after = try StoreImage(store.url, store.migration.destination)
    #expect(try after.differences(from: before, by: store.migration, offsets: offsets) == [], "\(name)")
    #expect(try StoreCheck.errors(store.url) == [] && store.layoutDifferences() == [], "\(name)")
    try FileManager.default.removeItem(at: store.url.deletingLastPathComponent())
  }
}

/// A process that migrates a store until it is killed.
enum KilledMigration {
  /// Rows change table, columns come, go and change type, and large values lie in files.
  static func before() throws -> NSManagedObjectModel {
    try MigrationFixture.model(
      """
      <entity name='Author'><attribute name='name' attributeType='String' optional='YES'/>
      <attribute name='age' attributeType='Integer 16' optional='YES'/>
      <relationship name='books' toMany='YES' ordered='YES' destinationEntity='Book' inverseName='author'
      inverseEntity='Book' optional='YES'/></entity>
      <entity name='Book'><attribute name='title' attributeType='String' optional='YES'/>
      <attribute name='cover' attributeType='Binary' allowsExternalBinaryDataStorage='YES' optional='YES'/>
      <attribute name='scan' attributeType='Binary' allowsExternalBinaryDataStorage='YES' optional='YES'/>
      <relationship name='author' destinationEntity='Author' inverseName='books' inverseEntity='Author' optional='YES'/>
      <relationship name='tags' toMany='YES' destinationEntity='Tag' inverseName='books' inverseEntity='Tag' optional='YES'/>
      </entity>
      <entity name='Novel'><attribute name='genre' attributeType='String' optional='YES'/></entity>
      <entity name='Tag'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='books' toMany='YES' destinationEntity='Book' inverseName='tags' inverseEntity='Book'
      optional='YES'/></entity>
      """)
  }

  static func after() throws -> NSManagedObjectModel {
    try MigrationFixture.model(
      """
      <entity name='Agent'/>
      <entity name='Writer' elementID='Author'><attribute name='name' attributeType='String' defaultValueString='nobody'/>
      <attribute name='age' attributeType='Double' optional='YES'/>
      <relationship name='books' toMany='YES' destinationEntity='Book' inverseName='authors' inverseEntity='Book'
      optional='YES'/></entity>
      <entity name='Book'><attribute name='title' attributeType='String' optional='YES'/>
      <attribute name='cover' attributeType='Binary' allowsExternalBinaryDataStorage='YES' optional='YES'/>
      <relationship name='authors' toMany='YES' destinationEntity='Writer' inverseName='books' inverseEntity='Writer'
      elementID='author' optional='YES'/>
      <relationship name='tags' toMany='YES' ordered='YES' destinationEntity='Tag' inverseName='books' inverseEntity='Tag'
      optional='YES'/></entity>
      <entity name='Novel' parentEntity='Book'><attribute name='genre' attributeType='String' optional='YES'/></entity>
      <entity name='Tag'><attribute name='label' attributeType='String' optional='YES' elementID='name'/>
      <relationship name='books' toMany='YES' destinationEntity='Book' inverseName='tags' inverseEntity='Book'
      optional='YES'/></entity>
      """)
  }

  /// - Parameter share: of the time that it takes, after which the process is killed.
  static func run(_ path: String, mode: Int, share: Double) throws {
    let (before, after) = (try Self.before(), try Self.after())
    before.freeze()
    after.freeze()
    let migration = InferredMigration(from: before, to: after)
    try KilledProcess.run(on: URL(fileURLWithPath: path), share: share) { url in
      try MigratedStore(url: url, migration: migration).inPlace(options: options(mode)).run()
    }
  }

  static func options(_ mode: Int) -> [AnyHashable: Any] {
    mode.isMultiple(of: 3) ? [NSSQLitePragmasOption: ["journal_mode": "DELETE"]] : [:]
  }
}
