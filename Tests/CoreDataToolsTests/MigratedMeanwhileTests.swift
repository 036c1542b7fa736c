import CoreData
import CoreDataTools
import Foundation
import OpenCoreData
import Testing

/// Another program migrates a store between the plan of a migration and the migration.
@Suite struct MigratedMeanwhileTests {
  /// Versions of a model, the first of which the store has: an attribute is added in each.
  private static func models(in folder: URL) throws -> [URL] {
    try (1...3).map { number in
      let url = folder.appending(path: "Version\(number).mom")
      let names = (1...number).map { "nick\($0)" }
      try Shop.model(adding: names).write(compiledModelTo: url)
      return url
    }
  }

  /// Opens the store with a model, as a program of that version does.
  private static func migrate(_ store: URL, to model: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(
      managedObjectModel: try NSManagedObjectModel(validatingContentsOf: model))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: store,
      options: [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      ])
    try coordinator.remove(store)
  }

  private static let carryings: [MigrationRehearsal.Carrying] = [
    .init(), .init(makesBackup: false, verifies: false),
  ]

  @Test(arguments: carryings) func fromAVersionBetween(_ carrying: MigrationRehearsal.Carrying) throws {
    let shop = try Shop(), models = try Self.models(in: shop.folder)
    let migration = try MigrationRehearsal(shop.store, to: MigrationWish(model: models[1]))
    try Self.migrate(shop.store, to: models[0])
    let report = try migration.run(carrying)
    #expect(report.error == nil && !report.hasProblems && report.steps.count == 1)
    #expect(report.notes.contains { $0.hasPrefix("Another program has migrated the store meanwhile") })
    #expect((report.backup != nil) == carrying.makesBackup)
    let columns = try StoreReader(shop.store).valueColumns(of: "Person")
    #expect(columns.contains("nick2") && !columns.contains("nick3"))
    let backups = try FileManager.default.contentsOfDirectory(atPath: shop.folder.path).filter {
      $0.contains("backup") && $0.hasSuffix("sqlite")
    }
    #expect(backups.count == (carrying.makesBackup ? 1 : 0))
  }

  /// What another program has made is not replaced by the store from before.
  @Test(arguments: carryings) func toTheWantedVersion(_ carrying: MigrationRehearsal.Carrying) throws {
    let shop = try Shop(), models = try Self.models(in: shop.folder)
    let migration = try MigrationRehearsal(shop.store, to: MigrationWish(model: models[2]))
    try Self.migrate(shop.store, to: models[2])
    let report = try migration.run(carrying)
    #expect(report.error == nil && !report.hasProblems)
    #expect(try StoreReader(shop.store).valueColumns(of: "Person").contains("nick3"))
  }
}
