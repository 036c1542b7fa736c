import CoreData
import Foundation
import Synchronization
import Testing

@testable import WebClient
@testable import WebService
@testable import WebStore

/// A service, and a relay before it through which stores ask.
final class World: Sendable {
  let file: URL
  let relay: Relay
  private let running: Mutex<RunningService>
  private let limits: ServedStore.Limits

  var service: RunningService { running.withLock { $0 } }

  init(limits: ServedStore.Limits = ServedStore.Limits()) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "WebStoreTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    file = folder.appending(path: "Books.sqlite")
    self.limits = limits
    let service = try await RunningService(at: file, limits: limits)
    running = Mutex(service)
    relay = try Relay(to: service.port)
  }

  func endService() async throws {
    relay.leave()
    try await service.stop()
  }

  func startService() async throws {
    let next = try await RunningService(at: file, limits: limits)
    running.withLock { $0 = next }
    try relay.comeBack(to: next.port)
  }

  /// A store that tries again at once, so that no test waits, and that no slow machine makes impatient.
  func stack(_ options: [String: any Sendable] = [:]) throws -> Stack {
    let usual: [String: any Sendable] = [WebStoreOption.pause: 0, WebStoreOption.timeout: 3600]
    return try Stack(relay.url, options: options.merging(usual) { given, _ in given })
  }

  /// Does what a test is about on a thread that may wait, and then ends everything.
  static func with(
    limits: ServedStore.Limits = ServedStore.Limits(), _ body: @escaping @Sendable (World) throws -> Void
  ) async throws {
    try await withSteps(limits: limits) { world in try await onThread { try body(world) } }
  }

  static func withSteps(
    limits: ServedStore.Limits = ServedStore.Limits(), _ body: @escaping @Sendable (World) async throws -> Void
  ) async throws {
    let world = try await World(limits: limits)
    do { try await body(world) } catch {
      try? await world.endService()
      try? FileManager.default.removeItem(at: world.file.deletingLastPathComponent())
      throw error
    }
    try await world.endService()
    try FileManager.default.removeItem(at: world.file.deletingLastPathComponent())
  }

  /// What is in the service's file, read beside it.
  func stored(_ entity: String) throws -> [[String: Any]] {
    let context = service.application.store.newContext()
    return try context.performAndWait {
      let request = NSFetchRequest<NSDictionary>(entityName: entity)
      request.resultType = .dictionaryResultType
      return try context.fetch(request).compactMap { $0 as? [String: Any] }
    }
  }
}

extension Stack {
  /// Runs a block in a context of its own.
  @discardableResult
  func inContext<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    let context = newContext()
    return try context.performAndWait { try body(context) }
  }

  /// What the store was asked since, as "POST query".
  func asked(_ body: () throws -> Void) rethrows -> [String] {
    web?.resetTraffic()
    try body()
    return (web?.traffic.exchanges ?? []).map { exchange in
      let path = exchange.path.split(separator: "/").first.map(String.init) ?? ""
      return "\(exchange.method) \(path)"
    }
  }

  /// Authors with books, as a file with the same steps has them.
  func fill(_ authors: Int, books: Int = 2) throws {
    try inContext { context in
      for number in 0..<authors {
        let author = Author(context: context)
        author.name = "Author \(number)"
        author.city = number % 2 == 0 ? "Oslo" : nil
        for place in 0..<books {
          let book = Book(context: context)
          book.title = "Book \(number).\(place)"
          book.year = Int64(2000 + place)
          book.author = author
        }
      }
      try context.save()
    }
  }
}

extension NSManagedObjectContext {
  func all<Object: NSManagedObject>(
    _ type: Object.Type, _ format: String? = nil, by keys: [String] = []
  ) throws -> [Object] {
    let request = NSFetchRequest<Object>(entityName: "\(type)")
    request.predicate = format.map { NSPredicate(format: $0) }
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    return try fetch(request)
  }
}

/// The domain and code of the error that a block ends with.
func failure(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "none"
  } catch let error as NSError { return "\(error.domain) \(error.code)" }
}
