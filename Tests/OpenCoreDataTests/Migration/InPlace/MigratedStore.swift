import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Migrates stores in place, and looks at everything in them.
struct MigratedStore {
  let url: URL
  let migration: InferredMigration

  /// A store of the first version with generated objects.
  static func make(
    _ before: NSManagedObjectModel, _ after: NSManagedObjectModel, objects: Int = 5, seed: UInt64 = 1,
    options: [AnyHashable: Any]? = nil
  ) throws -> MigratedStore {
    let url = try TestModel.temporaryFile()
    var random = SeededGenerator(seed: seed)
    before.freeze()
    after.freeze()
    try StoreFiller.make(before, at: url, objects: objects, random: &random, options: options)
    return MigratedStore(url: url, migration: InferredMigration(from: before, to: after))
  }

  func inPlace(defers: Bool = false, options: [AnyHashable: Any]? = nil) throws -> InPlaceMigration {
    migration.source.prepare()
    migration.destination.prepare()
    return InPlaceMigration(
      files: try StoreFiles(url), migration: migration, configuration: nil, options: try StoreOptions(options),
      defers: defers)
  }

  func plan() throws -> MigrationPlan { try inPlace().plan() }

  /// What is added to the keys of each entity's rows.
  func offsets() throws -> [String: Int64] {
    let connection = try SQLiteConnection(path: url.path, readOnly: true, create: false, timeout: 5, pragmas: [])
    let old = try SQLModel(entities: migration.source.entities, in: connection)
    let versions = StoreVersions(
      migration, old: old, new: SQLModel(entities: migration.destination.entities, dialect: SQLiteDialect()),
      contents: try StoreContents(connection, schema: old),
      words: SQLiteMigrationWords())
    return Dictionary(
      uniqueKeysWithValues: versions.successors.map { (old.entity(number: $0)?.name ?? "", $1.offset) })
  }

  /// Migrates, and compares every value, the layout with that of a new store, and what the file says about itself.
  @discardableResult
  func migrateAndCheck(_ name: String = "", defers: Bool = false) throws -> MigrationPlan {
    let before = try StoreImage(url, migration.source)
    let errors = try StoreCheck.errors(url, model: migration.source)
    let offsets = try offsets()
    let copy = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: copy.deletingLastPathComponent()) }
    try NSPersistentStoreCoordinator.copyPersistentStore(at: url, to: copy, isQuiet: true)
    let plan = try #require(try inPlace(defers: defers).run())
    let after = try StoreImage(url, migration.destination)
    let text = "\(name)\n\(plan)"
    let differences = try after.differences(from: before, by: migration, offsets: offsets)
    #expect(differences.isEmpty, "\(differences.prefix(8).joined(separator: "\n"))\n\(text)")
    let verification = try InferredVerification(
      migration, plan: plan, before: InspectedStore(copy, model: migration.source),
      after: InspectedStore(url, model: migration.destination)
    ).run()
    #expect(verification.differences == [], "\(text)")
    #expect(try StoreCheck.errors(url).subtracting(errors).isEmpty, "\(text)")
    if !defers { #expect(try layoutDifferences() == [], "\(text)") }
    return plan
  }

  /// Where the layout is not that of a new store of the new version.
  func layoutDifferences() throws -> [String] {
    let fresh = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(migration.destination, url: fresh)
    try coordinator.remove(try #require(coordinator.persistentStores.first))
    let (found, wanted) = (try layout(url), try layout(fresh))
    return found.subtracting(wanted).map { "too much: \($0)" }.sorted()
      + wanted.subtracting(found).map { "missing: \($0)" }.sorted()
  }

  private func layout(_ url: URL) throws -> Set<String> {
    let database = try PlainDatabase(url)
    var result: Set<String> = []
    for table in try database.tables() where !table.hasPrefix("sqlite_") {
      for row in try database.rows("PRAGMA table_info(\"\(table)\")") {
        result.insert("\(table).\(row[1].text ?? "") \(row[2].text ?? "") \(row[5])")
      }
    }
    result.formUnion(
      try database.strings("SELECT sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL"))
    for row in try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY") {
      result.insert("Z_PRIMARYKEY \(row)")
    }
    return result
  }
}
