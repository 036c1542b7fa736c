import CoreData
import Foundation
import Testing

/// Where no file descriptor is left, everything works or gives an error; when there are some again it works.
@Suite struct DescriptorTests {
  /// Takes all descriptors that the process may still have.
  private static func takeAll() -> [Int32] {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = 200
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while true {
      let descriptor = open("/dev/null", O_RDONLY)
      if descriptor < 0 { return taken }
      taken.append(descriptor)
    }
  }

  private static func outcome(_ body: () throws -> String) -> String {
    do { return try body() } catch { return "error \((error as NSError).code)" }
  }

  private static func fill(_ file: URL) throws {
    let fixture = try ExternalFixture(at: file)
    try fixture.inContext { context in
      for number in 0..<20 {
        _ = context.make("Picture", ["name": "p\(number)", "data": ExternalFixture.bytes(150_000, UInt8(number))])
      }
      try context.save()
    }
    try fixture.coordinator.remove(fixture.coordinator.persistentStores[0])
  }

  private static func request() -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return request
  }

  @Test func everyUseOfAnOpenStore() async {
    await #expect(processExitsWith: .success) {
      let file = try TestModel.temporaryFile()
      try Self.fill(file)
      let context = TestModel.context(try ExternalFixture(at: file).coordinator)
      for isScarce in [true, false] {
        let taken = isScarce ? Self.takeAll() : []
        let fetched = context.performAndWait {
          Self.outcome { "\(try context.fetch(Self.request()).count)" }
        }
        let saved = context.performAndWait {
          Self.outcome {
            context.insert("Album", ["name": "new"])
            try context.save()
            return "saved"
          }
        }
        let fault = context.performAndWait {
          Self.outcome {
            guard let object = try context.fetch(Self.request()).first else { return "none" }
            context.refresh(object, mergeChanges: false)
            return try context.existingObject(with: object.objectID).value(forKey: "name") as? String ?? "nil"
          }
        }
        let controller = NSFetchedResultsController(
          fetchRequest: Self.request(), managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let results = context.performAndWait {
          Self.outcome {
            try controller.performFetch()
            return "\(controller.fetchedObjects?.count ?? 0)"
          }
        }
        let asynchronous: String = await withCheckedContinuation { continuation in
          let request = NSAsynchronousFetchRequest(fetchRequest: Self.request()) { result in
            continuation.resume(
              returning: result.operationError.map { "error \($0)" } ?? "\(result.finalResult?.count ?? 0)")
          }
          context.performAndWait {
            do { _ = try context.execute(request) } catch { continuation.resume(returning: "error \(error)") }
          }
        }
        let performed = await context.perform { "performed" }
        let opened = Self.outcome {
          _ = try ExternalFixture(at: file)
          return "opened"
        }
        let container = NSPersistentContainer(name: "Pictures", managedObjectModel: ExternalFixture.model())
        let description = NSPersistentStoreDescription(url: file)
        description.shouldAddStoreAsynchronously = true
        container.persistentStoreDescriptions = [description]
        let loaded: String = await withCheckedContinuation { continuation in
          container.loadPersistentStores { _, error in
            continuation.resume(returning: error.map { "error \(($0 as NSError).code)" } ?? "loaded")
          }
        }
        for descriptor in taken { close(descriptor) }
        Chain.require(performed == "performed", performed)
        if isScarce {
          Chain.require(opened.hasPrefix("error"), opened)
          Chain.require(loaded.hasPrefix("error"), loaded)
        } else {
          let all = [fetched, saved, fault.prefix(1) + "", results, asynchronous, opened, loaded]
          Chain.require(all == ["20", "saved", "p", "20", "20", "opened", "loaded"], "\(all)")
        }
      }
    }
  }
}
