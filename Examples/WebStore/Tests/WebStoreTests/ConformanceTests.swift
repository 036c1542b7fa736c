import CoreData
import Foundation
import Synchronization
import Testing

@testable import StoreConformance
@testable import WebClient
@testable import WebService
@testable import WebStore

/// The suite that every kind of store runs, over services of their own.
@Suite struct ConformanceTests {
  @Test(arguments: StoreConformance.checks) func webStore(_ check: StoreCheck) async throws {
    WebIncrementalStore.register()
    let services = Services()
    let subject = StoreSubject(
      type: WebIncrementalStore.type, cannot: [.customMetadata: "the service keeps none of its clients"],
      options: [WebStoreOption.timeout: 3600]
    ) { try services.start(ConformanceModel.make()) }
    do { try await onThread { _ = try check.run(on: subject) } } catch {
      try? await services.end()
      throw error
    }
    try await services.end()
  }
}

/// The services of a check, which end after it: a check may open its stores again.
private final class Services: Sendable {
  private let running = Mutex<[(service: RunningService, folder: URL)]>([])

  /// Waits until a service over a new file listens.
  func start(_ model: NSManagedObjectModel) throws -> URL? {
    let folder = FileManager.default.temporaryDirectory.appending(path: "WebConformance-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let started = DispatchSemaphore(value: 0)
    let outcome = Outcome()
    Task(executorPreference: ServiceThreads.shared) {
      do {
        outcome.set(.success(try await RunningService(at: folder.appending(path: "Store.sqlite"), model: model)))
      } catch { outcome.set(.failure(error)) }
      started.signal()
    }
    started.wait()
    let service = try outcome.get()
    running.withLock { $0.append((service, folder)) }
    return URL(string: "http://127.0.0.1:\(service.port)/")
  }

  func end() async throws {
    let all = running.withLock { running in
      defer { running = [] }
      return running
    }
    for (service, folder) in all {
      try await service.stop()
      try FileManager.default.removeItem(at: folder)
    }
  }

  private final class Outcome: Sendable {
    private let result = Mutex<Result<RunningService, any Error>>(.failure(CancellationError()))

    func set(_ result: Result<RunningService, any Error>) { self.result.withLock { $0 = result } }
    func get() throws -> RunningService { try result.withLock { try $0.get() } }
  }
}
