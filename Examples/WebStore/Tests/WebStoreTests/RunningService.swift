import CoreData
import Foundation
import Testing

@testable import WebClient
@testable import WebService

/// A service in this process that can be ended and started anew over its file.
final class RunningService: Sendable {
  let application: WebServiceApplication
  let port: Int
  private let task: Task<Void, any Error>

  init(at file: URL, model: NSManagedObjectModel = Model.books, limits: ServedStore.Limits = ServedStore.Limits())
    async throws
  {
    let application = WebServiceApplication(try ServedStore(model: model, at: file, limits: limits))
    let (ports, started) = AsyncThrowingStream<Int, any Error>.makeStream()
    task = Task {
      do {
        try await application.run { started.yield($0) }
      } catch {
        started.finish(throwing: error)
        throw error
      }
    }
    var iterator = ports.makeAsyncIterator()
    port = try #require(try await iterator.next())
    self.application = application
  }

  func stop() async throws {
    task.cancel()
    _ = await task.result
    try application.store.close()
  }

  var counts: [String: Int] { application.counts.all }
}
