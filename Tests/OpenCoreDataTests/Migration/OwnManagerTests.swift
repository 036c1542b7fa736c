import CoreData
import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// A migration manager of a class of its own that follows its progress.
@Suite struct OwnManagerTests {
  private final class Manager: NSMigrationManager {
    private(set) var keys: [String] = []
    private(set) var parts: [Float] = []

    override func willChangeValue(forKey key: String) {
      keys.append("will \(key)")
      super.willChangeValue(forKey: key)
    }

    override func didChangeValue(forKey key: String) {
      super.didChangeValue(forKey: key)
      keys.append("did \(key)")
      if key == "migrationProgress" { parts.append(migrationProgress) }
    }
  }

  @Test func itHearsOfItsProgressAndSoDoObservers() throws {
    let stores = try MigrationStores(MigrationFixture.notes(1), MigrationFixture.notes(1))
    try stores.fill { context in _ = context.make("Tag", ["name": "red"]) }
    let manager = Manager(sourceModel: stores.models.source, destinationModel: stores.models.destination)
    nonisolated(unsafe) var observed: [Float] = []
    let observation = manager.observe(\.migrationProgress, options: [.new]) { manager, _ in
      observed.append(manager.migrationProgress)
    }
    try stores.migrate(stores.inferred(), by: manager)
    observation.invalidate()
    #expect(manager.parts.last == 1 && manager.parts == manager.parts.sorted() && manager.parts == observed)
    #expect(manager.keys.contains("did currentEntityMapping"))
    #expect(manager.keys.count { $0.hasPrefix("will ") } == manager.keys.count { $0.hasPrefix("did ") })
  }
}
