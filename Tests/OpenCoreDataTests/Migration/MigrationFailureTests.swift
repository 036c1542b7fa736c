import CoreData
import Foundation
import OpenCocoaFoundation
import Synchronization
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// Migrations that fail leave the old store as it was, and nothing of the new one.
@Suite struct MigrationFailureTests {
  struct Broken: Error {}

  /// Throws in the step that the manager's user info names; or cancels.
  final class FailingPolicy: NSEntityMigrationPolicy {
    private func act(_ step: String, _ manager: NSMigrationManager) throws {
      guard manager.userInfo?["step"] as? String == step else { return }
      if manager.userInfo?["cancels"] != nil { return manager.cancelMigrationWithError(Broken()) }
      throw Broken()
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
      try act("begin", manager)
    }
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      // Not the first: some are written.
      if sInstance.value(forKey: "n") as? Int == 600 { try act("createDestinationInstances", manager) }
    }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try act("endInstanceCreation", manager)
    }
    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws { try act("createRelationships", manager) }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try act("endRelationshipCreation", manager)
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
      try act("performCustomValidation", manager)
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { try act("end", manager) }
  }

  private static let steps = [
    "begin", "createDestinationInstances", "endInstanceCreation", "createRelationships", "endRelationshipCreation",
    "performCustomValidation", "end",
  ]

  private static func entity(_ attributes: String) -> String {
    "<entity name='A'><attribute name='n' attributeType='Integer 64' optional='YES'/>\(attributes)</entity>"
  }

  private func stores(_ before: String, _ after: String, _ values: [[String: Any]]) throws -> MigrationStores {
    let stores = try MigrationStores(
      MigrationFixture.model(Self.entity(before)), MigrationFixture.model(Self.entity(after)))
    try stores.fill { context in for value in values { _ = context.make("A", value) } }
    return stores
  }

  /// The error of a migration, which leaves everything as it was.
  private func error(
    _ stores: MigrationStores, _ mapping: NSMappingModel, _ manager: NSMigrationManager? = nil
  ) throws -> NSError {
    let before = try Data(contentsOf: stores.source), files = try stores.newFiles()
    let error = try #require(throws: NSError.self) { try stores.migrate(mapping, by: manager) }
    #expect(error.domain == NSCocoaErrorDomain)
    #expect(try Data(contentsOf: stores.source) == before)
    #expect(try stores.newFiles() == files)
    return error
  }

  @Test(arguments: steps) func aPolicyThatThrows(_ step: String) throws {
    NSEntityMigrationPolicy.register(FailingPolicy.self, forName: "FailingPolicyOfTests")
    let stores = try stores("", "", (0..<1200).map { ["n": $0] })
    let mapping = try stores.inferred()
    mapping.entityMappings[0].entityMigrationPolicyClassName = "FailingPolicyOfTests"
    let manager = stores.manager()
    manager.userInfo = ["step": step]
    let failed = try error(stores, mapping, manager)
    #expect(failed.code == 134170 && failed.userInfo["mapping"] as? String == "IEM_Copy_A")
    #expect(failed.userInfo[NSUnderlyingErrorKey] is Broken || failed.userInfo[NSUnderlyingErrorKey] is NSError)
    #expect(failed.localizedDescription.contains(step) && failed.localizedDescription.contains("FailingPolicy"))
    // The same manager tries again.
    manager.userInfo?["cancels"] = true
    let cancelled = try error(stores, mapping, manager)
    #expect(cancelled.code == 134120 && cancelled.userInfo[NSUnderlyingErrorKey] != nil)
    #expect(manager.migrationProgress < 1)
    manager.userInfo = nil
    try stores.migrate(mapping, by: manager)
    try stores.result { try #expect($0.all("A").count == 1200) }
  }

  @Test func mandatoryValuesThatAreMissing() throws {
    let stores = try stores(
      "<attribute name='x' attributeType='String' optional='YES'/>", "<attribute name='x' attributeType='String'/>",
      [["n": 1, "x": "a"], ["n": 2]])
    let mapping = NSMappingModel(InferredMigration(from: stores.models.source, to: stores.models.destination))
    let missing = try error(stores, mapping)
    #expect(missing.code == 134110 && missing.userInfo["entity"] as? String == "A")
    #expect(missing.userInfo["attribute"] as? String == "x" && missing.userInfo["property"] as? String == "x")
    #expect((missing.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 1570)
    #expect(missing.localizedDescription.contains("A.x"))
  }

  @Test func whatTheNewModelFindsInvalid() throws {
    let stores = try stores(
      "<attribute name='x' attributeType='String' optional='YES'/>",
      "<attribute name='x' attributeType='String' optional='YES' maxValueString='3'/>",
      [["x": "abc"], ["x": "abcd"], ["x": "abcde"]])
    let invalid = try error(stores, stores.inferred())
    #expect(invalid.code == 134110 && invalid.userInfo["property"] as? String == "x")
    #expect((invalid.userInfo[NSDetailedErrorsKey] as? [NSError])?.map(\.code) == [1660, 1660])
  }

  @Test func relationshipsThatMustNotBeEmpty() throws {
    let before = """
      <entity name='B'><relationship name='a' optional='YES' maxCount='1' destinationEntity='B' inverseName='b'
        inverseEntity='B'/><relationship name='b' optional='YES' toMany='YES' destinationEntity='B' inverseName='a'
        inverseEntity='B'/></entity>
      """
    let stores = try MigrationStores(
      MigrationFixture.model(before),
      MigrationFixture.model(before.replacingOccurrences(of: "name='b' optional='YES'", with: "name='b' minCount='1'")))
    try stores.fill { context in
      let first = context.make("B")
      first.setValue(first, forKey: "a")
      try context.save()
    }
    let mapping = NSMappingModel(InferredMigration(from: stores.models.source, to: stores.models.destination))
    try stores.migrate(mapping)
    try FileManager.default.removeItem(at: stores.destination)
    try MigrationStores.open(stores.source, stores.models.source) { context in
      _ = context.make("B")
      try context.save()
    }
    let empty = try error(stores, mapping)
    #expect(empty.code == 134110 && empty.localizedDescription.contains("B.b"))
  }

  @Test func valuesThatMustBeUnique() throws {
    let stores = try stores("", "", [["n": 1], ["n": 2], ["n": 1]])
    stores.models.destination.entitiesByName["A"]?.uniquenessConstraints = [["n"]]
    let conflict = try error(stores, stores.inferred())
    #expect(conflict.code == 134111 && conflict.localizedDescription.contains("A.n"))
    #expect(conflict.userInfo["entity"] as? String == "A")
  }

  @Test func valuesThatDoNotFit() throws {
    let stores = try stores("", "", [["n": 1], ["n": 40_000]])
    stores.models.destination.entitiesByName["A"]?.attributesByName["n"]?.attributeType = .integer16AttributeType
    let range = try error(stores, stores.inferred())
    #expect(
      range.code == 134110 && range.localizedDescription.contains("A.n") && range.localizedDescription.contains("range")
    )
    let text = try self.stores("", "<attribute name='x' attributeType='String' optional='YES'/>", [["n": 1]])
    let mapping = try text.inferred()
    mapping.entityMappings[0].attributeMappings?.first { $0.name == "x" }?.valueExpression =
      try NSExpression(parsing: "$source.n")
    let type = try error(text, mapping)
    #expect(type.code == 134110 && type.userInfo["property"] as? String == "x")
  }

  @Test func membersThatDoNotFit() throws {
    let model = """
      <entity name='A'><relationship name='b' optional='YES' maxCount='1' destinationEntity='B'/></entity>
      <entity name='B'/>
      """
    let stores = try MigrationStores(MigrationFixture.model(model), MigrationFixture.model(model))
    try stores.fill { $0.make("A").setValue($0.make("B"), forKey: "b") }
    let made = "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'IEM_Copy_A', $source)"
    for (expression, text) in [
      (made, "leads to B"), ("$source.b", "no object of the destination"), ("5", "not objects"),
    ] {
      let mapping = try stores.inferred()
      mapping.entityMappingsByName["IEM_Copy_A"]?.relationshipMappings?[0].valueExpression =
        try NSExpression(parsing: expression)
      let wrong = try error(stores, mapping)
      #expect(
        wrong.code == 134110 && wrong.localizedDescription.contains(text) && wrong.localizedDescription.contains("A.b"))
    }
  }

  @Test func storesThatCannotBeUsed() throws {
    let stores = try stores("", "", [["n": 1]])
    let mapping = try stores.inferred()
    func code(_ source: URL, _ destination: URL, _ type: String = NSSQLiteStoreType) throws -> Int {
      try #require(throws: NSError.self) {
        try stores.manager().migrateStore(
          from: source, sourceType: type, with: mapping, toDestinationURL: destination,
          destinationType: type)
      }.code
    }
    let none = stores.folder.appendingPathComponent("None.sqlite")
    #expect(try code(none, stores.destination) == 134150)
    #expect(try code(stores.source, stores.source) == 134160)
    #expect(try code(stores.source, stores.folder) == 134160)
    #expect(try code(stores.source, stores.folder.appendingPathComponent("no/New.sqlite")) == 134160)
    #expect(try code(stores.source, stores.destination, "NoType") == 134160)
    let other = stores.folder.appendingPathComponent("Other.sqlite")
    try MigrationStores.open(other, MigrationFixture.notes(1)) {
      _ = $0.make("Tag"); try $0.save()
    }
    #expect(try code(other, stores.destination) == 134150)
    #expect(try code(stores.source, other) == 134160)
    try Data("nothing".utf8).write(to: none)
    #expect(try code(stores.source, none) == 134160)
    #expect(try String(contentsOf: none, encoding: .utf8) == "nothing")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: stores.folder.path).sorted() == [
        "None.sqlite", "Old.sqlite", "Other.sqlite",
      ])
  }

  /// A mapping model that fails on what is there already takes nothing away.
  @Test func aStoreThatIsAddedTo() throws {
    let stores = try stores(
      "", "<attribute name='x' attributeType='String' optional='YES' maxValueString='3'/>", [["n": 1]])
    try stores.migrate(stores.inferred())
    let mapping = try stores.inferred()
    mapping.entityMappings[0].attributeMappings?.first { $0.name == "x" }?.valueExpression =
      NSExpression(forConstantValue: "too long")
    #expect(try error(stores, mapping).code == 134110)
    try stores.result { try #expect($0.all("A").count == 1) }
    try stores.migrate(stores.inferred())
    try stores.result { try #expect($0.all("A").count == 2) }
    #expect(try StoreCheck.errors(stores.destination) == [])
  }

  /// What a killed migration leaves beside its destination is removed by the next one; what others are at stays.
  @Test func leftOversOfKilledMigrations() throws {
    let stores = try stores("", "", [["n": 1]])
    let working = try MigrationDestination(
      MigrationPlace(stores.destination, NSSQLiteStoreType, nil), source: MigrationPlace(stores.source, "SQLite", nil))
    let active = working.workingURL
    let parts = active.lastPathComponent.components(separatedBy: "-")
    func leftOver(_ process: String, _ suffix: String = "") -> URL {
      stores.folder.appendingPathComponent("\(parts[0])-\(process)-abc.sqlite\(suffix)")
    }
    // No process has the number 0, and this one has no migration "abc".
    let over = [leftOver("99999999"), leftOver("99999999", "-wal"), leftOver("\(getpid())")]
    let others = [active, stores.folder.appendingPathComponent(".New.sqlite.migrationdestination_0-1-abc.sqlite")]
    for url in over + others { try Data("x".utf8).write(to: url) }
    let support = stores.folder.appendingPathComponent(
      ".\(leftOver("99999999").deletingPathExtension().lastPathComponent)_SUPPORT")
    // What a migration within another one makes, as that of a store that is remade in its place.
    let inner = stores.folder.appendingPathComponent(
      "..\(leftOver("99999999").lastPathComponent).\(parts[0].dropFirst(".New.sqlite.".count))-99999999-def_SUPPORT")
    for folder in [support, inner] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    try stores.migrate(stores.inferred())
    for url in over + [support, inner] {
      #expect(!FileManager.default.fileExists(atPath: url.path), "\(url.lastPathComponent)")
    }
    for url in others { #expect(FileManager.default.fileExists(atPath: url.path)) }
    working.discard()
    #expect(!FileManager.default.fileExists(atPath: active.path))
  }

  // MARK: Progress

  @Test func progressGoesFromNothingToAll() throws {
    let stores = try stores("", "", (0..<2000).map { ["n": $0] })
    let manager = stores.manager()
    let seen = Mutex<[Float]>([])
    let mappings = Mutex<Int>(0)
    let progress = manager.observe(\.migrationProgress, options: .new) { _, change in
      seen.withLock { $0.append(change.newValue ?? -1) }
    }
    let current = manager.observe(\.currentEntityMapping) { _, _ in mappings.withLock { $0 += 1 } }
    try stores.migrate(stores.inferred(), by: manager)
    progress.invalidate()
    current.invalidate()
    let values = seen.withLock { $0 }
    #expect(values.count > 8 && values == values.sorted() && Set(values).count == values.count)
    #expect(values.allSatisfy { $0 > 0 && $0 <= 1 } && values.last == 1)
    #expect(mappings.withLock { $0 } == 2)
  }

  @Test func aMigrationIsCancelledFromAnotherThread() async throws {
    let stores = try stores("", "", (0..<5000).map { ["n": $0] })
    let manager = stores.manager()
    nonisolated(unsafe) let unsafeManager = manager
    let observation = manager.observe(\.migrationProgress, options: .new) { _, _ in
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { unsafeManager.cancelMigrationWithError(Broken()) }
      group.wait()
    }
    #expect(try error(stores, stores.inferred(), manager).code == 134120)
    observation.invalidate()
  }
}
