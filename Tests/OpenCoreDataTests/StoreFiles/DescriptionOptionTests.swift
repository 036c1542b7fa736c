import CoreData
import Testing

/// Store descriptions, and the coordinator's way to one store.
@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct DescriptionOptionTests {
  @Test func optionsArePassedOn() throws {
    let description = NSPersistentStoreDescription(url: try TestModel.temporaryFile())
    #expect(description.type == NSSQLiteStoreType && !description.isReadOnly && description.timeout == 240)
    #expect(description.configuration == nil && description.sqlitePragmas.isEmpty)
    description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode")
    description.setValue(NSNumber(value: 8192), forPragmaNamed: "page_size")
    description.setValue(NSNumber(value: 1), forPragmaNamed: "user_version")
    description.setValue(nil, forPragmaNamed: "user_version")
    description.timeout = 3
    description.setOption(NSNumber(value: true), forKey: NSSQLiteAnalyzeOption)
    #expect(description.sqlitePragmas.keys.sorted() == ["journal_mode", "page_size"])
    let copy = try #require(description.copy() as? NSPersistentStoreDescription)
    copy.isReadOnly = true
    copy.setOption(nil, forKey: NSSQLiteAnalyzeOption)
    #expect(!description.isReadOnly && description.options[NSSQLiteAnalyzeOption] != nil)
    #expect(copy.timeout == 3 && copy.sqlitePragmas.count == 2 && copy.options[NSSQLiteAnalyzeOption] == nil)
    for (description, isReadOnly) in [(description, false), (copy, true)] {
      let container = NSPersistentContainer(name: "Library", managedObjectModel: TestModel.library())
      container.persistentStoreDescriptions = [description]
      container.loadPersistentStores { #expect($1 == nil) }
      let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
      #expect(store.isReadOnly == isReadOnly && store.configurationName == "PF_DEFAULT_CONFIGURATION_NAME")
    }
    let url = try #require(description.url)
    let laidOut = try Shell.sql(url, "PRAGMA journal_mode; PRAGMA page_size")
    #expect(laidOut == ["delete", "8192"])
  }

  @Test func blocksOfACoordinatorTakeTurns() async throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.library())
    let url = try TestModel.temporaryFile()
    let name = try await coordinator.perform {
      let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
      return coordinator.performAndWait { store.url?.lastPathComponent }
    }
    #expect(name == "Store.sqlite" && coordinator.persistentStores.count == 1)
    nonisolated(unsafe) var count = 0
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask {
          if number % 2 == 0 {
            await coordinator.perform { count += 1 }
          } else {
            coordinator.performAndWait { count += 1 }
          }
        }
      }
    }
    #expect(coordinator.performAndWait { count } == 50)
    await withCheckedContinuation { continuation in coordinator.perform { continuation.resume() } }
    await #expect(throws: CocoaError.self) { try await coordinator.perform { throw CocoaError(.fileLocking) } }
    #expect(throws: CocoaError.self) { try coordinator.performAndWait { throw CocoaError(.fileLocking) } }
  }

  @Test func objectIDsOfText() throws {
    let coordinator = try FileStore.open(try FileStore.make(["A"]))
    let id = try coordinator.inContext { try $0.named("A", "Author").objectID }
    #expect(coordinator.managedObjectID(for: id.uriRepresentation().absoluteString) == id)
    for text in ["", "nonsense", "x-coredata://other/Author/p1", "x-coredata:///Author/p1", "http://[", "a b"] {
      #expect(coordinator.managedObjectID(for: text) == nil)
    }
  }
}
