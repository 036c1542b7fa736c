import CoreData
import Foundation
import Testing

@testable import StoreConformance
@testable import WebClient
@testable import WebService
@testable import WebStore

/// The suite that every kind of store runs, over services of their own.
@Suite struct ConformanceTests {
  /// A service for each check, which ends with the process: a check opens its store again.
  private static func subject(_ model: NSManagedObjectModel) -> StoreSubject {
    WebIncrementalStore.register()
    return StoreSubject(
      type: WebIncrementalStore.type, cannot: [.customMetadata: "the service keeps none of its clients"]
    ) {
      let folder = FileManager.default.temporaryDirectory.appending(path: "WebConformance-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let started = DispatchSemaphore(value: 0)
      let port = Port()
      let service = WebServiceApplication(try ServedStore(model: model, at: folder.appending(path: "Store.sqlite")))
      Task(executorPreference: ServiceThreads.shared) {
        try await service.run { number in
          port.number = number
          started.signal()
        }
      }
      started.wait()
      return URL(string: "http://127.0.0.1:\(port.number)/")
    }
  }

  private final class Port: @unchecked Sendable {  // set before the semaphore is signalled, read after
    var number = 0
  }

  @Test(arguments: StoreConformance.checks) func webStore(_ check: StoreCheck) async throws {
    try await onThread {
      _ = try check.run(on: Self.subject(ConformanceModel.make()))
    }
  }
}
