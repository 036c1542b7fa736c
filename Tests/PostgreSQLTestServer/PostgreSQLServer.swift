import Foundation

/// A PostgreSQL server in a temporary folder, with a Unix socket in that folder. It is stopped when the object is released.
///
/// Its programs are those of Debian's package `postgresql`. If they are not installed, the tests that need a server are skipped.
public final class PostgreSQLServer: @unchecked Sendable {  // `lock` guards the variables
  /// The folder with the programs; nil if the server is not installed.
  public static let programs: URL? = {
    let root = URL(fileURLWithPath: "/usr/lib/postgresql")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { root.appending(path: "\($0)/bin") }
    return folders.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
  }()

  public static var isInstalled: Bool { programs != nil }

  /// A server for all tests of a process. It is stopped when the process ends.
  public static let shared: Result<PostgreSQLServer, any Error> = {
    // The value of a static property is never released, so the server is removed at the exit of the process.
    atexit { if case .success(let server) = PostgreSQLServer.shared { server.remove() } }
    return Result { try PostgreSQLServer() }
  }()

  public struct Failure: Error {
    public let message: String
  }

  /// The folder of the server's data, its socket and its scripts.
  public let folder: URL
  /// The port on 127.0.0.1 where the server listens besides; nil if it listens only on its Unix socket.
  public let tcpPort: Int?
  private let settings: [String: String]
  private let programs: URL
  private let lock = NSLock()
  private var server: Process?
  /// The process that made the server. A process that was forked from it does not remove the server.
  private let process = getpid()

  /// Makes a cluster and starts its server.
  /// - Parameters:
  ///   - settings: the server's settings besides those that tests always have.
  ///   - tcpPort: the port on 127.0.0.1 where the server listens, besides its Unix socket.
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

  /// Makes and starts a standby of another server. The standby replicates the changes of that server.
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

  /// Promotes a standby to an independent server, which accepts changes.
  public func promote() throws { try asOwner("pg_ctl", "-D", data, "-w", "-t", "900", "promote") }

  /// Kills one of the server's processes, after which the server ends all sessions and recovers. Throws an error if no process of a
  /// server has that number any more.
  public func kill(_ process: Int32) throws {
    let name = try String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8)
    guard name.hasPrefix("postgres"), Glibc.kill(process, SIGKILL) == 0 else {
      throw Failure(message: "\(process) is no process of a server")
    }
  }

  // MARK: Addresses

  /// Returns a URL that leads to the server's socket.
  public func url(user: String = "tests", database: String = "postgres") -> URL {
    let host = folder.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    let place = host + (tcpPort.map { ":\($0)" } ?? "")
    guard let url = URL(string: "postgresql://\(user)@\(place)/\(database)") else {
      preconditionFailure("\(user) or \(database) is no part of a URL")
    }
    return url
  }

  /// The path of the server's Unix socket.
  public var socket: String { "\(folder.path)/.s.PGSQL.\(port)" }

  private var data: String { "\(folder.path)/data" }

  // MARK: Starting and stopping

  /// Starts the server, unless it is running.
  public func start() throws {
    try lock.withLock {
      guard server == nil else { return }
      // The server is started as a child of this process. With `pg_ctl start`, Foundation would wait for pg_ctl and for all
      // processes that it has started.
      let server = Process()
      server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      var all = ["listen_addresses": tcpPort == nil ? "" : "127.0.0.1", "fsync": "off", "max_connections": "1000"]
      if let tcpPort { all["port"] = String(tcpPort) }
      all.merge(settings) { $1 }
      server.arguments =
        Self.leavingFiles + owner + [programs.appending(path: "postgres").path, "-D", data, "-k", folder.path]
        + all.sorted { $0.key < $1.key }.flatMap { ["-c", "\($0)=\($1)"] }
      server.currentDirectoryURL = URL(fileURLWithPath: "/")
      server.standardInput = FileHandle.nullDevice
      // What it says when it cannot start.
      let log = folder.appending(path: "log")
      _ = FileManager.default.createFile(atPath: log.path, contents: nil)
      let words = try FileHandle(forWritingTo: log)
      defer { try? words.close() }
      server.standardOutput = FileHandle.nullDevice
      server.standardError = words
      try server.run()
      let limit = ContinuousClock.now + .seconds(900)
      while !isReady, server.isRunning, ContinuousClock.now < limit { usleep(50_000) }
      guard isReady else {
        let words = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
        throw Failure(message: "the server does not answer: \(words.suffix(2_000))")
      }
      self.server = server
    }
  }

  /// Stops the server; its data stays.
  /// - Parameter immediate: whether the server stops as in a power failure. Otherwise it ends its sessions first.
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

  /// The port, which is also part of the name of the Unix socket.
  private var port: String { String(tcpPort ?? 5432) }

  /// The words before a command that is to run for long. It closes the files and pipes that it has inherited from this process:
  /// Foundation closes those that were open when it looked, and another test may have opened one since, and wait for its end. The
  /// sockets stay, since Foundation notices the end of a process by one.
  static let leavingFiles = [
    "bash", "-c",
    #"""
    for each in /proc/$$/fd/*; do
      number=${each##*/}
      if ((number > 2)) && [ ! -S "$each" ]; then eval "exec $number>&-"; fi
    done
    exec "$@"
    """#, "bash",
  ]

  // MARK: Running SQL with psql

  /// Runs a script, each line of which is a statement.
  /// - Returns: the errors of lines, by the number of the line, counted from 0.
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

  /// Returns the lines that psql prints for a query, one for each row: the value of a row with one column, as text. NULL is
  /// empty.
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

  /// The words before a command that is run as the owner of the server.
  private var owner: [String] { getuid() == 0 ? ["runuser", "-u", "postgres", "--"] : [] }

  @discardableResult
  private func run(_ command: String...) throws -> String { try run(command) }

  /// Runs a program and returns its standard output and standard error. Throws an error if the program fails.
  @discardableResult
  private func run(_ command: [String]) throws -> String {
    let process = Process(), output = folder.appending(path: "output-\(UUID().uuidString)")
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(fileURLWithPath: "/")
    // The output goes to a file, because a server that continues to run would keep a pipe open.
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
