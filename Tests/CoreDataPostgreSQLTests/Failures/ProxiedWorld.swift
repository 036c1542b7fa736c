#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// A store that is reached through a proxy, and the same one without it.
  final class ProxiedWorld: Sendable {
    let proxy: MessageProxy
    /// Through the proxy. It announces nothing in the background, and ends no transaction there, which would be cut in place of what a
    /// test does.
    let store: BatchWorld
    let direct: BatchWorld

    init(
      _ model: NSManagedObjectModel, through proxy: MessageProxy? = nil, options: [String: Any] = [:]
    ) throws {
      self.proxy = try proxy ?? MessageProxy(to: PostgreSQLServer.shared.get().socket)
      let place = try TestPlace.new()
      let schema = try #require(URLComponents(url: place, resolvingAgainstBaseURL: false)?.queryItems)
      direct = try BatchWorld(model, at: place, options: options)
      store = try BatchWorld(model, at: self.proxy.url().appending(queryItems: schema), options: options)
      try store.store.sendNothingByItself()
    }

    deinit { proxy.stop() }

    /// How many messages lie between two at which connections are cut: `SOAK=16` takes each.
    static let stride = max(1, 16 / max(1, Int(ProcessInfo.processInfo.environment["SOAK"] ?? "") ?? 1))
  }

  /// An error that a request or a save may end with: one of Core Data's, with words for whoever reads it.
  func checkFailure(_ error: any Error, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let error = error as NSError
    #expect(error.domain == NSCocoaErrorDomain, "\(what): \(error)", sourceLocation: sourceLocation)
    #expect(error.localizedDescription.count > 20, "\(what): \(error)", sourceLocation: sourceLocation)
  }
#endif
