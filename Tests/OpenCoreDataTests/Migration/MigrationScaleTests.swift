import CoreData
import Foundation
import Testing

import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

/// How much a migration reads and keeps.
@Suite struct MigrationScaleTests {
  private static let model = """
    <entity name='Owner'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='things' optional='YES' toMany='YES' destinationEntity='Thing' inverseName='owner'
        inverseEntity='Thing'/>
      <relationship name='groups' optional='YES' toMany='YES' destinationEntity='Group' inverseName='owners'
        inverseEntity='Group'/></entity>
    <entity name='Thing'><attribute name='name' attributeType='String' optional='YES'/>
      <relationship name='owner' optional='YES' maxCount='1' destinationEntity='Owner' inverseName='things'
        inverseEntity='Owner'/></entity>
    <entity name='Group'><attribute name='name' attributeType='String'/>
      <relationship name='owners' optional='YES' toMany='YES' destinationEntity='Owner' inverseName='groups'
        inverseEntity='Owner'/></entity>
    """

  /// The expression, which looks at how many objects there are at every hundredth evaluation. A policy of a class of its own would
  /// keep all objects in memory.
  private static func counting(_ expression: NSExpression?) -> NSExpression? {
    guard let expression else { return nil }
    return NSExpression(
      block: { object, arguments, variables in
        if let manager = variables?[NSMigrationManagerKey] as? NSMigrationManager {
          var most = manager.userInfo?["most"] as? Int ?? 0
          let calls = manager.userInfo?["calls"] as? Int ?? 0
          if calls.isMultiple(of: 100) {
            let contexts = [manager.sourceContext, manager.destinationContext]
            most = max(most, contexts.reduce(0) { $0 + $1.registeredObjects.count })
          }
          manager.userInfo = ["most": most, "calls": calls + 1]
        }
        return arguments.first?.expressionValue(with: object, context: variables) ?? NSNull()
      }, arguments: [expression])
  }

  /// What is in memory and what is read at once depends on the batch, not on the store.
  @Test func memoryAndStatements() throws {
    var figures: [(objects: Int, selects: Int)] = []
    for count in [2000, 6000] {
      let stores = try MigrationStores(
        MigrationFixture.model(Self.model),
        MigrationFixture.model(
          Self.model.replacingOccurrences(of: "name='name'", with: "name='title' elementID='name'")))
      try stores.fill { context in
        var owner: NSManagedObject?
        let groups = (0..<count / 100).map { context.make("Group", ["name": "group \($0)"]) }
        for number in 0..<count {
          if number % 4 == 0 {
            owner = context.make("Owner", ["name": "owner \(number)"])
            owner?.setValue(
              NSSet(array: [groups[number / 100], groups[(number / 100 + 1) % groups.count]]), forKey: "groups")
          }
          context.make("Thing", ["name": "thing \(number)"]).setValue(owner, forKey: "owner")
        }
      }
      let mapping = try stores.inferred()
      for property in mapping.entityMappings.flatMap({ ($0.attributeMappings ?? []) + ($0.relationshipMappings ?? []) })
      {
        property.valueExpression = Self.counting(property.valueExpression)
      }
      let manager = stores.manager()
      let statements = try StatementLog.collect(thisThread: true) { try stores.migrate(mapping, by: manager) }
        .statements
      figures.append((manager.userInfo?["most"] as? Int ?? 0, statements.count { $0.hasPrefix("SELECT") }))
      try stores.result { context in
        try #expect(context.all("Thing").count == count && context.all("Owner").count == count / 4)
        let owner = try #require(context.all("Owner").first)
        #expect(owner.texts("things", "title").count == 4 && owner.texts("groups", "title").count == 2)
      }
    }
    print("migrations of 2000 and 6000 objects: \(figures)")
    #expect(figures[0].objects > 0)
    // On both sides a batch of owners, with four things each.
    #expect(figures[1].objects < 11 * MigrationRun.batchSize)
    #expect(figures[1].objects <= figures[0].objects + 2 * MigrationRun.batchSize)
    #expect(figures[1].selects < 6000 / 10, "\(figures)")
  }

  // MARK: Killed processes

  /// Ends its own process after as many calls as the manager's user info says.
  final class SuicidalPolicy: NSEntityMigrationPolicy {
    private func count(_ manager: NSMigrationManager) {
      let left = manager.userInfo?["left"] as? Int ?? 0
      if left == 0 { kill(getpid(), SIGKILL) }
      manager.userInfo = ["left": left - 1]
    }

    override func createDestinationInstances(
      forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      count(manager)
    }

    override func createRelationships(
      forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
      try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
      count(manager)
    }
  }

  private static func stores(in folder: String) throws -> (source: URL, destination: URL) {
    let folder = URL(fileURLWithPath: folder)
    return (folder.appendingPathComponent("Old.sqlite"), folder.appendingPathComponent("New.sqlite"))
  }

  private static func migrate(_ folder: String, calls: Int?) throws {
    NSEntityMigrationPolicy.register(SuicidalPolicy.self, forName: "SuicidalPolicyOfTests")
    let (source, destination) = try stores(in: folder)
    let model = try MigrationFixture.model(model)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: model)
    let manager = NSMigrationManager(sourceModel: model, destinationModel: model)
    if let calls {
      for mapping in mapping.entityMappings { mapping.entityMigrationPolicyClassName = "SuicidalPolicyOfTests" }
      manager.userInfo = ["left": calls]
    }
    try manager.migrateStore(from: source, type: .sqlite, mapping: mapping, to: destination, type: .sqlite)
  }

  @Test func aKilledMigrationLeavesNothing() async throws {
    let folder = try MigrationFixture.temporaryFolder().path
    let (source, destination) = try Self.stores(in: folder)
    let model = try MigrationFixture.model(Self.model)
    try MigrationStores.open(source, model) { context in
      for number in 0..<1500 { _ = context.make("Thing", ["name": "thing \(number)"]) }
      try context.save()
    }
    let before = try Data(contentsOf: source)
    var random = SeededGenerator(for: "killed migrations of many rows")
    for _ in 0..<4 * Soak.factor {
      let calls = Int.random(in: 0..<3000, using: &random)
      await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, calls = calls as Int] in
        try MigrationScaleTests.migrate(folder, calls: calls)
      }
      #expect(try Data(contentsOf: source) == before)
      #expect(!FileManager.default.fileExists(atPath: destination.path))
      let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter {
        $0.hasSuffix(".sqlite") || $0.hasSuffix(".OCDWorking")
      }
      // What the ones before have left was removed.
      #expect(left.count == 2, "\(left)")
    }
    try Self.migrate(folder, calls: nil)
    // The log of the source is what SQLite leaves of a reader that is killed.
    let left = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.hasPrefix("Old.sqlite-") }
    #expect(left.sorted() == ["New.sqlite", "Old.sqlite"])
    try MigrationStores.open(destination, model) { context in try #expect(context.all("Thing").count == 1500) }
    #expect(try StoreCheck.errors(destination) == [])
  }
}
