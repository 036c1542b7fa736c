import Foundation
import Hummingbird
import Logging

/// A folder of files over HTTP.
struct SeedFolder: Sendable {
  private let folder: URL
  private let host: String
  private let port: Int

  /// - Parameter port: 0 for one that is free.
  init(_ folder: URL, host: String = "127.0.0.1", port: Int = 0) {
    (self.folder, self.host, self.port) = (folder, host, port)
  }

  /// Serves until the task is cancelled.
  /// - Parameters:
  ///   - heedsSignals: whether it also ends when the process is told to.
  ///   - onStart: called with the port when the server listens.
  func run(heedsSignals: Bool = false, onStart: @escaping @Sendable (_ port: Int) async -> Void) async throws {
    var logger = Logger(label: "SeedServer")
    // A connection that its asker cuts off is what downloads do, and no error of the server.
    logger.logLevel = .critical
    let router = Router(context: BasicRequestContext.self)
    router.add(middleware: SeedFiles(folder: folder))
    router.add(middleware: FileMiddleware(folder.path, logger: logger))
    let application = Application(
      router: router, configuration: .init(address: .hostname(host, port: port), serverName: nil),
      onServerRunning: { await onStart($0.localAddress?.port ?? 0) }, logger: logger)
    try await application.runService(gracefulShutdownSignals: heedsSignals ? [.sigterm, .sigint] : [])
  }
}
