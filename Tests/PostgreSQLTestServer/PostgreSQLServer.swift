import Foundation

/// A server of PostgreSQL's in a temporary folder, reached by a Unix socket there; it is stopped when nobody needs it.
///
/// Its programs are those of Debian's package `postgresql`. Where there are none, the tests that need it are skipped.
public final class PostgreSQLServer: @unchecked Sendable {  // `lock` guards what changes
  /// The folder with the programs; nil where the server is not installed.
  public static let programs: URL? = {
    let root = URL(fileURLWithPath: "/usr/lib/postgresql")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { root.appending(path: "\($0)/bin") }
    return folders.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
  }()

  public static var isInstalled: Bool { programs != nil }

  /// One server for all tests of a process, stopped when that ends.
  public static let shared: Result<PostgreSQLServer, any Error> = {
    // Nobody lets go of what a static property has.
    atexit { if case .success(let server) = PostgreSQLServer.shared { server.remove() } }
    return Result { try PostgreSQLServer() }
  }()

  public struct Failure: Error {
    public let message: String
  }

  /// Where its data, its socket and its scripts are.
  public let folder: URL
  /// Where it listens besides, on 127.0.0.1.
  public let tcpPort: Int?
  private let settings: [String: String]
  private let programs: URL
  private let lock = NSLock()
  private var server: Process?
  /// The process that has made it: one that came of `fork` leaves it alone.
  private let process = getpid()

  /// Makes a cluster and starts its server.
  /// - Parameters:
  ///   - settings: the server's settings besides those that tests always have.
  ///   - tcpPort: where it listens on 127.0.0.1, besides its socket.
  public init(settings: [String: String] = [:], tcpPort: Int? = nil) throws {
    guard let programs = Self.programs else { throw Failure(message: "PostgreSQL is not installed") }
    self.programs = programs
    self.settings = settings
    self.tcpPort = tcpPort
    folder = FileManager.default.temporaryDirectory.appending(path: "postgresql-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The server refuses to run as root.
    if getuid() == 0 { try run("chown", "postgres", folder.path) }
    try asOwner("initdb", "-D", data, "-U", "tests", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8")
    try start()
  }

  /// Makes a standby of another server, which takes over what that one writes, and starts it.
  public init(standbyOf primary: PostgreSQLServer) throws {
    guard let programs = Self.programs else { throw Failure(message: "PostgreSQL is not installed") }
    self.programs = programs
    settings = primary.settings
    tcpPort = nil
    folder = FileManager.default.temporaryDirectory.appending(path: "postgresql-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if getuid() == 0 { try run("chown", "postgres", folder.path) }
    try asOwner(
      "pg_basebackup", "-h", primary.folder.path, "-p", primary.port, "-U", "tests", "-D", data, "-R", "-c", "fast",
      "--no-sync")
    try start()
  }

  deinit { remove() }

  /// Makes a standby a server of its own, which takes writes.
  public func promote() throws { try asOwner("pg_ctl", "-D", data, "-w", "promote") }

  // MARK: Where it is

  /// A URL that leads to its socket.
  public func url(user: String = "tests", database: String = "postgres") -> URL {
    let host = folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let place = host + (tcpPort.map { ":\($0)" } ?? "")
    guard let url = URL(string: "postgresql://\(user)@\(place)/\(database)") else {
      preconditionFailure("\(user) or \(database) is no part of a URL")
    }
    return url
  }

  /// Its socket's file.
  public var socket: String { "\(folder.path)/.s.PGSQL.\(port)" }

  private var data: String { "\(folder.path)/data" }

  // MARK: Starting and stopping

  /// Starts it, after `stop`.
  public func start() throws {
    try lock.withLock {
      guard server == nil else { return }
      // As a child of this process, not by `pg_ctl start`: Foundation waits for all that a program has started.
      let server = Process()
      server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      var all = ["listen_addresses": tcpPort == nil ? "" : "127.0.0.1", "fsync": "off", "max_connections": "1000"]
      if let tcpPort { all["port"] = String(tcpPort) }
      all.merge(settings) { $1 }
      server.arguments =
        owner + [programs.appending(path: "postgres").path, "-D", data, "-k", folder.path]
        + all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0)=\($1)"] }
      server.currentDirectoryURL = URL(fileURLWithPath: "/")
      server.standardInput = FileHandle.nullDevice
      server.standardOutput = FileHandle.nullDevice
      server.standardError = FileHandle.nullDevice
      try server.run()
      var looks = 0
      while !isReady, server.isRunning, looks < 600 {
        usleep(50_000)
        looks += 1
      }
      guard isReady else { throw Failure(message: "the server does not answer") }
      self.server = server
    }
  }

  /// Stops it; what it has stays.
  /// - Parameter immediate: as if the power had failed, else after the sessions were ended.
  public func stop(immediate: Bool = false) throws {
    try lock.withLock {
      guard let server else { return }
      self.server = nil
      try asOwner("pg_ctl", "-D", data, "-m", immediate ? "immediate" : "fast", "-W", "stop")
      if server.isRunning { server.waitUntilExit() }
    }
  }

  private func remove() {
    guard getpid() == process else { return }
    try? stop(immediate: true)
    try? FileManager.default.removeItem(at: folder)
  }

  private var isReady: Bool {
    (try? run(programs.appending(path: "pg_isready").path, "-q", "-h", folder.path, "-p", port, "-U", "tests")) != nil
  }

  /// Also its socket's name has the port.
  private var port: String { String(tcpPort ?? 5432) }

  // MARK: Running SQL with its own program

  /// Runs a script; each of its lines is a statement.
  /// - Returns: what is wrong with lines, by their numbers, counted from 0.
  public func problems(of script: [String]) throws -> [Int: String] {
    let file = folder.appending(path: "script.sql")
    try script.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let output = try psql("-q", "-f", file.path)
    var problems: [Int: String] = [:]
    for line in output.split(separator: "\n") {
      // psql:<file>:<line>: ERROR:  <message>
      let parts = line.components(separatedBy: "script.sql:")
      guard parts.count > 1, let end = parts[1].firstIndex(of: ":"), let number = Int(parts[1][..<end]) else {
        continue
      }
      if parts[1].contains("ERROR") { problems[number - 1] = String(parts[1][end...]) }
    }
    return problems
  }

  /// The first value of each row that a query gives, as text; NULL is empty.
  public func values(of query: String) throws -> [String] {
    let output = try psql("-q", "-A", "-t", "-c", query)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  private func psql(_ arguments: String...) throws -> String {
    try run(
      [programs.appending(path: "psql").path, "-h", folder.path, "-p", port, "-U", "tests", "-d", "postgres", "-X"]
        + arguments)
  }

  @discardableResult
  private func asOwner(_ program: String, _ arguments: String...) throws -> String {
    try run(owner + [programs.appending(path: program).path] + arguments)
  }

  /// What goes before a command that the server's owner is to run.
  private var owner: [String] { getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : [] }

  @discardableResult
  private func run(_ command: String...) throws -> String { try run(command) }

  /// What a program prints, on either output.
  @discardableResult
  private func run(_ command: [String]) throws -> String {
    let process = Process(), output = folder.appending(path: "output-\(UUID().uuidString)")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    // Into a file: a server that goes on running would keep a pipe open.
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: output) }
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    let text = try String(contentsOf: output, encoding: .utf8)
    guard process.terminationStatus == 0 else {
      throw Failure(message: "\(command.joined(separator: " ")) ended with \(process.terminationStatus): \(text)")
    }
    return text
  }
}
