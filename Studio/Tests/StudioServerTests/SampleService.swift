import CoreData
import Foundation
import Testing
import WebService
import WebStore

/// A web service in this process over a sample store.
final class SampleService: Sendable {
  let store: SampleStore
  let application: WebServiceApplication
  let port: Int
  private let task: Task<Void, any Error>

  var url: URL { get throws { try #require(URL(string: "http://127.0.0.1:\(port)/")) } }

  /// The store's name in the studio's addresses.
  var page: String { "/stores/127.0.0.1-\(port)" }

  /// The requests that ask for objects.
  var asked: Int { application.counts.all.filter { $0.key != "store" }.values.reduce(0, +) }

  private init() async throws {
    store = try SampleStore(people: 30)
    application = WebServiceApplication(try ServedStore(model: SampleStore.model(), at: store.url))
    let (ports, started) = AsyncThrowingStream<Int, any Error>.makeStream()
    task = Task { [application] in
      do {
        try await application.run { started.yield($0) }
      } catch {
        started.finish(throwing: error)
        throw error
      }
    }
    var iterator = ports.makeAsyncIterator()
    port = try #require(try await iterator.next())
  }

  /// Ends the service. Its objects can be asked for no more.
  func stop() async throws {
    task.cancel()
    _ = await task.result
    try application.store.close()
  }

  /// Runs a service as long as `body` takes.
  static func run(_ body: @escaping @Sendable (SampleService) async throws -> Void) async throws {
    WebIncrementalStore.register()
    let service = try await SampleService()
    do { try await body(service) } catch {
      try? await service.stop()
      throw error
    }
    try await service.stop()
  }

  /// Saves a person as another client of the service does. A client waits for the service, on a thread of its own.
  func add(_ name: String) async throws {
    let url = try url
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: SampleStore.model())
            try coordinator.addPersistentStore(ofType: WebIncrementalStore.type, configurationName: nil, at: url)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
              let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
              person.setValue(name, forKey: "name")
              try context.save()
            }
          })
      }
    }
  }
}
