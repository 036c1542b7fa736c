import Foundation

/// Another library for SQLite that does the same work over the stores that the C side has made.
struct Peer: Sendable {
  /// The heading of the peer's column.
  let name: String
  /// The command that runs the peer; the workload and the folder follow it.
  let command: [String]

  /// The name of GRDB with Codable records.
  static let records = "GRDB's records"
  private static let byHand = "GRDB by hand"
  private static let grdb = "\(Peer.package)/.build/release/grdb-peer"
  private static let package = "Peers"

  /// The workloads for which all peers have a counterpart.
  private static let shared: Set<String> = ["A1", "A2", "A3", "A5", "A6", "A7", "B1", "B2", "C", "D", "N1"]
  /// The other workloads that GRDB's records have, and those that GRDB by hand has.
  private static let ofRecords: Set<String> = ["pending", "text", "saving", "open", "open-first"]
  private static let ofHand: Set<String> = ["saving"]

  /// Returns whether the peer has a counterpart of a workload.
  func has(_ process: String) -> Bool {
    Self.shared.contains(process) || name == Self.records && Self.ofRecords.contains(process)
      || name == Self.byHand && Self.ofHand.contains(process)
  }

  /// Builds GRDB's program, and installs SQLAlchemy in the folder of the stores if it is not there yet.
  static func prepare(folder: String) throws -> [Peer] {
    try start(["swift", "build", "-c", "release", "--package-path", package])
    try start([grdb, "records", "prepare", folder])
    let environment = URL(fileURLWithPath: folder).appending(path: "sqlalchemy").path
    let python = environment + "/bin/python"
    if !FileManager.default.fileExists(atPath: python) {
      try start(["python3", "-m", "venv", environment])
      try start([python, "-m", "pip", "install", "--quiet", "sqlalchemy==2.1.*"])
    }
    return [
      Peer(name: records, command: [grdb, "records"]),
      Peer(name: byHand, command: [grdb, "by-hand"]),
      Peer(name: "SQLAlchemy", command: [python, "\(package)/sqlalchemy_peer.py"]),
    ]
  }

  /// Runs a workload.
  func measure(_ process: String, folder: String) throws -> [Measurement] {
    try Measurement.run(URL(fileURLWithPath: "/usr/bin/env"), command + [process, folder])
  }

  static func start(_ command: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    // The program's output goes to the messages about rounds, and not to the tables.
    process.standardOutput = FileHandle.standardError
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CompareError("\(command.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
  }
}
