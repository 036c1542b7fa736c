import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Stores that an earlier version of this library wrote: a join table for each to-many relationship without inverse, join
/// columns that are named within their table, and in `Bar` a configuration without the subentities of its entities.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct EarlierStoreTests {
  private static let folder =
    Bundle.module.resourceURL?.appendingPathComponent("Fixtures/Earlier") ?? URL(fileURLWithPath: "/")

  private func copy(_ name: String) throws -> URL {
    let url = try TestModel.temporaryFile("\(name).sqlite")
    try FileManager.default.copyItem(at: Self.folder.appendingPathComponent("\(name).sqlite"), to: url)
    return url
  }

  /// The model that a store keeps of its own, with one entity more if that is wanted.
  private func model(of url: URL, adding entity: String? = nil) throws -> NSManagedObjectModel {
    let cached = try #require(try InspectedStore(url).cachedModel)
    let model = try #require(cached.copy() as? NSManagedObjectModel)
    if let entity { model.entities.append(TestModel.entity(entity, [])) }
    return model
  }

  private func open<Result>(
    _ url: URL, _ model: NSManagedObjectModel, _ configuration: String? = nil,
    _ body: (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: configuration, at: url)
    defer { try? coordinator.remove(store) }
    return try coordinator.inContext(body)
  }

  private func members(_ context: NSManagedObjectContext, _ key: String) throws -> [String: [String]] {
    try context.all("Cocktail").reduce(into: [:]) { result, cocktail in
      let members = (cocktail.value(forKey: key) as? NSOrderedSet)?.array ?? Array(cocktail.many(key))
      let names = members.compactMap { ($0 as? NSManagedObject)?.text("name") }
      result[cocktail.text("name") ?? ""] = key == "steps" ? names : names.sorted()
    }
  }

  private func check(_ context: NSManagedObjectContext, shares: Bool = false) throws {
    #expect(try members(context, "spec") == ["a": ["i0", "i1"], "b": shares ? ["i1", "i2"] : ["i2"]])
    #expect(try members(context, "steps") == ["a": ["i3", "i0"], "b": []])
    let user = try context.named("u", "User")
    #expect(user.many("reactions").map { $0.text("name") } == ["r"])
    #expect(Set(user.many("systemMessages").map { $0.text("name") }) == ["m1", "m2"])
  }

  @Test(arguments: [false, true]) func theyAreUsedAsTheyAre(shares: Bool) throws {
    let url = try copy(shares ? "SharedOwners" : "Owners"), model = try model(of: url)
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
    try open(url, model) { context throws in
      try check(context, shares: shares)
      let a = try context.named("a", "Cocktail"), user = try context.named("u", "User")
      a.mutableSetValue(forKey: "spec").add(context.make("Spirit", ["name": "gin"]))
      a.mutableOrderedSetValue(forKey: "steps").insert(try context.named("i2", "Ingredient"), at: 0)
      user.mutableSetValue(forKey: "systemMessages").add(context.make("Message", ["name": "m3"]))
      try context.save()
    }
    try open(url, model) { context throws in
      #expect(try members(context, "spec")["a"] == ["gin", "i0", "i1"])
      #expect(try members(context, "steps")["a"] == ["i2", "i3", "i0"])
      #expect(try context.named("u", "User").many("systemMessages").count == 3)
    }
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
  }

  @Test(arguments: [false, true]) func theyAreMigrated(byMapping: Bool) throws {
    let url = try copy("Owners"), (old, new) = (try model(of: url), try model(of: url, adding: "Bartender"))
    var result = url
    if byMapping {
      result = url.deletingLastPathComponent().appendingPathComponent("New.sqlite")
      try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
        from: url, sourceType: NSSQLiteStoreType, options: nil,
        with: NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new),
        toDestinationURL: result, destinationType: NSSQLiteStoreType, destinationOptions: nil)
    } else {
      _ = try InPlaceMigration(storeAt: url, from: old, to: new, configuration: nil, options: nil).run()
    }
    try open(result, new) { try check($0) }
    #expect(try StoreCheck.errors(result, model: new).isEmpty)
    let tables = try Shell.sql(result, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*'")
    #expect(tables.sorted() == ["Z_5USERS", "Z_6USERS"])
    #expect(try Shell.sql(result, "SELECT name FROM pragma_table_info('Z_5USERS')").contains("Z_7USERS1"))
  }

  @Test func ownersThatShareAMemberKeepItFromBeingMigrated() throws {
    let url = try copy("SharedOwners"), (old, new) = (try model(of: url), try model(of: url, adding: "Bartender"))
    let error = #expect(throws: NSError.self) {
      try InPlaceMigration(storeAt: url, from: old, to: new, configuration: nil, options: nil).run()
    }
    #expect(error?.code == NSMigrationError && error?.localizedDescription.contains("Cocktail.spec") == true)
    try open(url, old) { try check($0, shares: true) }
  }

  @Test func aConfigurationWithoutSubentities() throws {
    let url = try copy("Bar"), model = try model(of: url)
    try open(url, model, "Bar") { context throws in
      #expect(try members(context, "spec") == ["a": ["i0", "i1"], "b": ["i2"]])
      _ = context.make("Cocktail", ["name": "new"])
      try context.save()
      #expect(try context.all("Cocktail").count == 3)
    }
    #expect(try StoreCheck.errors(url, model: model).isEmpty)
    let new = try self.model(of: url)
    new.entitiesByName["Cocktail"]?.properties.append(TestModel.attribute("price", .decimalAttributeType))
    _ = try InPlaceMigration(storeAt: url, from: model, to: new, configuration: "Bar", options: nil).run()
    try open(url, new, "Bar") { context throws in
      #expect(try members(context, "spec")["a"] == ["i0", "i1"])
      _ = context.make("Spirit", ["name": "gin"])
      try context.save()
    }
  }
}
