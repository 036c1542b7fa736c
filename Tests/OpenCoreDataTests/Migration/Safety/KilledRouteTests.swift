import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Processes that are killed while they open a store of another version, which is migrated with a mapping model or by
/// stages: the store has one of the versions, all of it, and the next opening goes on from there.
@Suite struct KilledRouteTests {
  private static let seed = SeededGenerator.makeSeed(for: "killed openings")
  private static let numbers = 0..<(4 * Soak.factor)

  @Test(arguments: [KilledRoute.mapped, .staged], numbers) func theStoreIsWhole(route: KilledRoute, number: Int)
    async throws
  {
    var random = SeededGenerator(seed: Self.seed &+ UInt64(number) &+ (route == .mapped ? 0 : 1 << 32))
    let share = Double.random(in: 0...1.1, using: &random)
    let name = "\(route.rawValue) \(number), SEED=\(Self.seed)"
    let url = try TestModel.temporaryFile("Killed.sqlite"), folder = url.deletingLastPathComponent()
    let mode = number.isMultiple(of: 3) ? "DELETE" : "WAL"
    try route.make(url, mode)
    let path = url.path
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [path = path as String, route = route as KilledRoute, mode = mode as String, share = share as Double] in
      let url = URL(fileURLWithPath: path)
      try route.prepare(beside: url)
      try KilledProcess.run(on: url, share: share) { try route.open($0, mode) }
    }
    let isBroken = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .contains { $0.contains("migrationdestination") }
    let version = try route.version(url)
    print("\(name): version \(version)\(isBroken ? ", in the middle," : "") after \(share) of its time")
    #expect(try route.contents(url, version, name) == KilledRoute.count, "\(name)")
    #expect(try StoreCheck.errors(url) == [], "\(name)")
    try route.prepare(beside: url)
    try route.open(url, mode)
    let last = KilledRoute.versions - 1
    #expect(try route.version(url) == (route == .mapped ? 1 : last), "\(name)")
    #expect(try route.contents(url, route == .mapped ? 1 : last, name) == KilledRoute.count, "\(name)")
    #expect(try StoreCheck.errors(url) == [], "\(name)")
    let report = try ExternalFileReport(storeAt: url)
    #expect(report.missing.isEmpty && report.referenceCount == KilledRoute.count / 50, "\(name)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.filter { $0.contains("migrationdestination") } == [], "\(name)")
    try FileManager.default.removeItem(at: folder)
  }
}

/// Makes the titles of one version the headlines of the next.
final class KilledRoutePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let made = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[0]
    made.setValue("did \(sInstance.number("number") ?? -1)", forKey: "note")
  }
}

/// A way from one version of a model to another.
enum KilledRoute: String, Codable, Sendable {
  /// From the first version to the second by a mapping model with a policy, that lies beside the store.
  case mapped
  /// From the first version to the second by a stage whose handler changes every object, and to the third by inference.
  case staged

  static let count = 600
  static let versions = 3

  static func model(_ version: Int) throws -> NSManagedObjectModel {
    let model = try MigrationFixture.model(
      """
      <entity name='KilledItem'><attribute name='number' attributeType='Integer 64'/>
      <attribute name='\(version == 0 ? "title" : "headline")' attributeType='String' optional='YES' elementID='title'/>
      <attribute name='photo' attributeType='Binary' allowsExternalBinaryDataStorage='YES' optional='YES'/>
      \(version == 0 ? "" : "<attribute name='note' attributeType='String' optional='YES'/>")
      \(version < 2 ? "" : "<attribute name='more' attributeType='Integer 16' defaultValueString='3'/>")
      <relationship name='shelf' destinationEntity='KilledShelf' inverseName='items' inverseEntity='KilledShelf'
      optional='YES' maxCount='1'/></entity>
      <entity name='KilledShelf'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='items' toMany='YES' destinationEntity='KilledItem' inverseName='shelf' inverseEntity='KilledItem'
      optional='YES'/></entity>
      """)
    model.freeze()
    return model
  }

  private static func photo(_ number: Int) -> Data? {
    number.isMultiple(of: 50) ? Data(repeating: UInt8(truncatingIfNeeded: number), count: 120_000 + number) : nil
  }

  func make(_ url: URL, _ mode: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model(0))
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url,
      options: [NSSQLitePragmasOption: ["journal_mode": mode]])
    try coordinator.inContext { context in
      let shelves = (0..<5).map { context.make("KilledShelf", ["name": "shelf \($0)"]) }
      for number in 0..<Self.count {
        let item = context.make(
          "KilledItem", ["number": number, "title": "title \(number)", "shelf": shelves[number % 5]])
        item.setValue(Self.photo(number), forKey: "photo")
      }
      try context.save()
    }
    try coordinator.remove(store)
    guard self == .mapped else { return }
    let (before, after) = (try Self.model(0), try Self.model(1)), folder = url.deletingLastPathComponent()
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: before, destinationModel: after)
    mapping.entityMappingsByName["IEM_Transform_KilledItem"]?.entityMigrationPolicyClassName = "KilledRoutePolicy"
    try mapping.write(compiledMappingTo: folder.appendingPathComponent("Killed.cdm"))
    try before.write(compiledModelTo: folder.appendingPathComponent("Killed.mom"))
  }

  /// Once in a process, and for each store.
  func prepare(beside url: URL) throws {
    guard self == .mapped else { return }
    NSEntityMigrationPolicy.register(KilledRoutePolicy.self, forName: "KilledRoutePolicy")
    RegisteredModels.add(url.deletingLastPathComponent().appendingPathComponent("Killed.mom").path)
  }

  func open(_ url: URL, _ mode: String) throws {
    let model = try Self.model(self == .mapped ? 1 : 2)
    var options: [AnyHashable: Any] = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      NSSQLitePragmasOption: ["journal_mode": mode],
    ]
    if self == .staged {
      let models = try (0..<2).map { try Self.model($0) }
      let references = models.map { NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum) }
      let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
      stage.didMigrateHandler = { manager, _ in
        let context = try #require(manager.container).newBackgroundContext()
        try context.performAndWait {
          for item in try context.all("KilledItem") {
            item.setValue("did \(item.number("number") ?? -1)", forKey: "note")
          }
          try context.save()
        }
      }
      options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager(
        [stage, NSLightweightMigrationStage([model.versionChecksum])])
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
    try coordinator.remove(store)
  }

  /// The version that the store has.
  func version(_ url: URL) throws -> Int {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    return try #require(
      (0..<Self.versions).first {
        try Self.model($0).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      })
  }

  /// How many objects there are, each as it must be in that version.
  func contents(_ url: URL, _ version: Int, _ name: String) throws -> Int {
    try MigrationStores.open(url, Self.model(version)) { context in
      let items = try context.all("KilledItem", sortedBy: "number")
      // The handler of a stage that was killed before its end has written all or nothing.
      let noted = version == 0 ? 0 : items.filter { $0.text("note") != nil }.count
      #expect(noted == items.count || noted == 0 && (version == 0 || version == 1 && self == .staged), "\(name)")
      for (number, item) in items.enumerated() {
        let isRight =
          item.number("number") == number && item.text(version == 0 ? "title" : "headline") == "title \(number)"
          && item.texts("shelf", "name") == ["shelf \(number % 5)"]
          && item.value(forKey: "photo") as? Data == Self.photo(number)
          && (noted == 0 || item.text("note") == "did \(number)") && (version < 2 || item.number("more") == 3)
        #expect(isRight, "\(name): \(number)")
        if !isRight { break }
      }
      try #expect(context.all("KilledShelf").count == 5, "\(name)")
      return items.count
    }
  }
}
