import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// What every thread may use: models, coordinators, containers, object IDs.
@Suite struct SharedPartsTests {
  /// Several threads are the first to use a model.
  @Test func modelsUsedForTheFirstTime() throws {
    for _ in 0..<20 * Soak.factor {
      let model = TestModel.library()
      let numbers = Mutex<Set<[String]>>([])
      Soak.threads(6) { number in
        let entities: [NSEntityDescription]
        switch number % 3 {
        case 0: entities = NSPersistentStoreCoordinator(managedObjectModel: model).managedObjectModel.entities
        case 1:
          entities = model.entities
          _ = entities.map(\.layout)
        default:
          _ = model.entityVersionHashesByName
          entities = model.entities
        }
        let shape = entities.map { "\($0.name ?? "") \($0.layout.number) \($0.layout.slots.map(\.name))" }
        numbers.withLock { _ = $0.insert(shape) }
      }
      #expect(numbers.withLock { $0.count } == 1)
      #expect(model.entitiesByName.count == 4)
    }
  }

  /// A class finds its entity while models come and go.
  @Test(arguments: TestStore.all) func classesFindTheirEntities(_ store: TestStore) throws {
    @Sendable func model() -> NSManagedObjectModel {
      let entity = TestModel.entity("Composer", [TestModel.attribute("name", .stringAttributeType)])
      entity.managedObjectClassName = NSStringFromClass(SharedComposer.self)
      let model = NSManagedObjectModel()
      model.entities = [entity]
      return model
    }
    let kept = try store.coordinator(model())
    let count = 20 * Soak.factor
    Soak.threads(5) { number in
      for _ in 0..<count {
        if number < 2 {
          let context = TestModel.context(try store.coordinator(model()))
          context.performAndWait { #expect(SharedComposer(context: context).entity.name == "Composer") }
        } else {
          #expect(SharedComposer.entity().name == "Composer")
          let context = TestModel.context(kept)
          context.performAndWait {
            #expect(SharedComposer(context: context).entity === kept.managedObjectModel.entitiesByName["Composer"])
          }
        }
      }
    }
  }

  @Test(arguments: TestStore.all) func objectIDs(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let context = TestModel.context(coordinator)
    let ids = try context.performAndWait {
      let objects = (0..<40).map { context.make($0 % 2 == 0 ? "Author" : "Tag", ["name": "\($0)"]) }
      try context.save()
      return objects.map(\.objectID)
    }
    let expected = Dictionary(uniqueKeysWithValues: zip(ids, ids.map { $0.uriRepresentation().absoluteString }))
    let count = 20 * Soak.factor
    Soak.threads(6) { number in
      let own = TestModel.context(coordinator)
      for round in 0..<count {
        var seen: Set<NSManagedObjectID> = []
        for id in ids {
          let uri = id.uriRepresentation()
          #expect(uri.absoluteString == expected[id])
          guard let again = coordinator.managedObjectID(forURIRepresentation: uri) else {
            Issue.record("\(uri) means nothing")
            continue
          }
          #expect(again == id && again.hash == id.hash && !again.isTemporaryID)
          #expect(again.entity.name == id.entity.name && again.persistentStore === id.persistentStore)
          seen.insert(again)
        }
        #expect(seen == Set(ids))
        let id = ids[(round + number) % ids.count]
        let name = try own.performAndWait { try own.existingObject(with: id).value(forKey: "name") as? String }
        #expect(name == "\((round + number) % ids.count)")
        // New ones are no others, whoever makes them.
        let new = own.performAndWait { (0..<5).map { _ in own.make("Tag").objectID } }
        #expect(Set(new).count == 5 && new.allSatisfy(\.isTemporaryID))
        own.performAndWait { own.rollback() }
      }
    }
  }

  /// Temporary IDs made by many threads are all different.
  @Test(arguments: TestStore.all) func temporaryIDs(_ store: TestStore) throws {
    let coordinator = try store.coordinator(TestModel.library())
    let all = Mutex<Set<NSManagedObjectID>>([])
    Soak.threads(6) { _ in
      let context = TestModel.context(coordinator)
      let own = context.performAndWait { (0..<200).map { _ in context.make("Tag").objectID } }
      all.withLock { $0.formUnion(own) }
    }
    #expect(all.withLock { $0.count } == 1200)
  }

  /// Stores come and go while others look for them.
  @Test func coordinators() throws {
    let coordinator = try TestModel.coordinator(TestModel.library())
    let first = try #require(coordinator.persistentStores.first)
    let count = 15 * Soak.factor
    Soak.threads(5) { number in
      for _ in 0..<count {
        if number < 2 {
          let url = try TestModel.temporaryFile()
          let store = try TestStore.sqlite.add(to: coordinator, url: url, options: nil)
          #expect(coordinator.persistentStore(for: url) === store)
          #expect(coordinator.metadata(for: store)[NSStoreUUIDKey] as? String == store.identifier)
          try coordinator.remove(store)
          #expect(coordinator.persistentStore(for: url) == nil)
        } else {
          let stores = coordinator.persistentStores
          #expect(stores.first === first && stores.count <= 3)
          #expect(coordinator.metadata(for: first)[NSStoreUUIDKey] as? String == first.identifier)
          coordinator.performAndWait { #expect(coordinator.persistentStores.contains { $0 === first }) }
          let context = TestModel.context(coordinator)
          context.performAndWait {
            #expect(context.make("Tag").objectID.isTemporaryID)
          }
        }
      }
    }
    #expect(coordinator.persistentStores.count == 1)
  }

  private final class Contexts: Sendable {
    let all = Mutex<[NSManagedObjectContext]>([])
  }

  /// Background tasks of one container from many threads: each has a context of its own, and all is saved.
  @Test func containers() async throws {
    let container = NSPersistentContainer(name: "Shared", managedObjectModel: TestModel.library())
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
    container.loadPersistentStores { _, error in #expect(error == nil) }
    let count = 10 * Soak.factor
    let group = DispatchGroup()
    let contexts = Contexts()
    Soak.threads(4) { number in
      for round in 0..<count {
        let context = container.newBackgroundContext()
        #expect(context.concurrencyType == .privateQueueConcurrencyType)
        #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
        try context.performAndWait {
          _ = context.make("Tag", ["name": "\(number) \(round)"])
          try context.save()
        }
        group.enter()
        container.performBackgroundTask { context in
          contexts.all.withLock { $0.append(context) }
          _ = context.make("Tag", ["name": "task \(number) \(round)"])
          #expect(throws: Never.self) { try context.save() }
          group.leave()
        }
      }
    }
    let sum = try await withThrowingTaskGroup(of: Int.self) { tasks in
      for number in 0..<count {
        tasks.addTask {
          try await container.performBackgroundTask { context in
            contexts.all.withLock { $0.append(context) }
            _ = context.make("Tag", ["name": "async \(number)"])
            try context.save()
            return number
          }
        }
      }
      return try await tasks.reduce(0, +)
    }
    #expect(sum == count * (count - 1) / 2)
    let isDone = await withCheckedContinuation { done in
      Thread.detachNewThread { done.resume(returning: group.wait(timeout: Patience.limit) == .success) }
    }
    #expect(isDone)
    let all = contexts.all.withLock { $0 }
    #expect(all.count == 5 * count)
    #expect(Set(all.map { ObjectIdentifier($0) }).count == all.count)
    #expect(all.allSatisfy { $0.concurrencyType == .privateQueueConcurrencyType && $0 !== container.viewContext })
    let names = try await container.viewContext.perform {
      try container.viewContext.all("Tag").compactMap { $0.value(forKey: "name") as? String }
    }
    #expect(Set(names).count == 9 * count && names.count == 9 * count)
  }

  @Test func backgroundTasksThrow() async throws {
    struct Failure: Error {}
    let container = NSPersistentContainer(name: "Throwing", managedObjectModel: TestModel.library())
    await #expect(throws: Failure.self) { try await container.performBackgroundTask { _ in throw Failure() } }
    let kinds = await container.performBackgroundTask { $0.concurrencyType.rawValue }
    #expect(kinds == 1)
  }
}

/// At the top, so that the class has a name to be found by.
final class SharedComposer: NSManagedObject {}
