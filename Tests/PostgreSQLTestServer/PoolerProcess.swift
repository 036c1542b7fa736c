import Foundation

/// A process of PgBouncer in front of a server, in transaction mode: each transaction may get another session.
public final class PoolerProcess: Sendable {
  private static let program = "/usr/sbin/pgbouncer"

  /// Whether PgBouncer is installed.
  public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

  /// A pooler in front of the server that all tests of a process share.
  public static let shared: Result<PoolerProcess, any Error> = {
    atexit { if case .success(let pooler) = PoolerProcess.shared { pooler.stop() } }
    return Result { try PoolerProcess(to: PostgreSQLServer.shared.get()) }
  }()

  private let folder: URL
  private let starter = getpid()
  private let process = Process()

  /// Starts PgBouncer with few sessions, so that clients share them.
  public init(to server: PostgreSQLServer) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "pooler-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
    let settings = folder.appending(path: "pgbouncer.ini")
    let socket = URL(fileURLWithPath: server.socket)
    let text = """
      [databases]
      postgres = host=\(socket.deletingLastPathComponent().path) port=\(socket.pathExtension) dbname=postgres user=tests
      [pgbouncer]
      listen_addr =
      listen_port = 5432
      unix_socket_dir = \(folder.path)
      auth_type = any
      pool_mode = transaction
      default_pool_size = 20
      max_client_conn = 500

      """
    try text.write(to: settings, atomically: true, encoding: .utf8)
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // PgBouncer refuses to run as root.
    let owner = getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
    process.arguments = PostgreSQLServer.leavingFiles + owner + [Self.program, "-q", settings.path]
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    let place = folder.appending(path: ".s.PGSQL.5432").path
    // The socket is there a moment before it is listened to.
    let limit = ContinuousClock.now + .seconds(900)
    while (try? ProxySocket.connected(to: place)) == nil {
      guard process.isRunning, ContinuousClock.now < limit else {
        throw PostgreSQLServer.Failure(message: "the pooler does not answer")
      }
      usleep(50_000)
    }
  }

  deinit { stop() }

  private func stop() {
    guard getpid() == starter else { return }
    // PgBouncer has no data to lose. Its other signals may have been blocked when it was started.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  /// Returns a URL that leads to the pooler.
  public func url() -> URL {
    let host = folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    guard let url = URL(string: "postgresql://tests@\(host)/postgres") else {
      preconditionFailure("\(folder.path) is no part of a URL")
    }
    return url
  }
}
