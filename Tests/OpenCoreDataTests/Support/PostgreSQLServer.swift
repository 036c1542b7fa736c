import Foundation

/// A server of PostgreSQL's in a temporary folder, reached by a Unix socket there; it is stopped when nobody needs it.
///
/// Its programs are those of Debian's package `postgresql`. Where there are none, the tests that need it are skipped.
final class PostgreSQLServer {
  /// The folder with the programs; nil where the server is not installed.
  static let programs: URL? = {
    let root = URL(fileURLWithPath: "/usr/lib/postgresql")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
    let folders = versions.sorted { (Int($0) ?? 0) > (Int($1) ?? 0) }.map { root.appending(path: "\($0)/bin") }
    return folders.first { FileManager.default.isExecutableFile(atPath: $0.appending(path: "initdb").path) }
  }()

  static var isInstalled: Bool { programs != nil }

  struct Failure: Error {
    let message: String
  }

  private let folder: URL
  private let programs: URL
  private let server = Process()

  init() throws {
    guard let programs = Self.programs else { throw Failure(message: "PostgreSQL is not installed") }
    self.programs = programs
    folder = FileManager.default.temporaryDirectory.appending(path: "postgresql-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    // The server refuses to run as root.
    if getuid() == 0 { try run("chown", "postgres", folder.path) }
    try asOwner("initdb", "-D", data, "-U", "tests", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8")
    // As a child of this process, not by `pg_ctl start`: Foundation waits for all that a program has started.
    server.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    server.arguments =
      owner + [
        programs.appending(path: "postgres").path, "-D", data, "-k", folder.path, "-c", "listen_addresses=",
        "-c", "fsync=off",
      ]
    server.currentDirectoryURL = URL(fileURLWithPath: "/")
    server.standardInput = FileHandle.nullDevice
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    var looks = 0
    while !isReady, server.isRunning, looks < 600 {
      usleep(100_000)
      looks += 1
    }
    guard isReady else { throw Failure(message: "the server does not answer") }
  }

  private var isReady: Bool {
    (try? run(programs.appending(path: "pg_isready").path, "-q", "-h", folder.path, "-U", "tests")) != nil
  }

  deinit {
    _ = try? asOwner("pg_ctl", "-D", data, "-m", "immediate", "stop")
    if server.isRunning { server.waitUntilExit() }
    try? FileManager.default.removeItem(at: folder)
  }

  private var data: String { "\(folder.path)/data" }

  /// Runs a script; each of its lines is a statement.
  /// - Returns: what is wrong with lines, by their numbers, counted from 0.
  func problems(of script: [String]) throws -> [Int: String] {
    let file = folder.appending(path: "script.sql")
    try script.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    let output = try run(
      programs.appending(path: "psql").path, "-h", folder.path, "-U", "tests", "-d", "postgres", "-X", "-q",
      "-f", file.path)
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
  func values(of query: String) throws -> [String] {
    let output = try run(
      programs.appending(path: "psql").path, "-h", folder.path, "-U", "tests", "-d", "postgres", "-X", "-q", "-A", "-t",
      "-c", query)
    return output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
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
