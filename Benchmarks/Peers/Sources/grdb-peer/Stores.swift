import Foundation
import GRDB

/// The stores that the C side has made, in one folder.
struct Stores {
  let folder: URL

  /// With the settings that the other sides use: WAL, synchronous NORMAL.
  func open(_ file: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA journal_mode=WAL")
      try database.execute(sql: "PRAGMA synchronous=NORMAL")
    }
    return try DatabaseQueue(path: folder.appending(path: file).path, configuration: configuration)
  }

  /// A new store with a schema, in place of the one before.
  func new(_ schema: [String], replacing earlier: DatabaseQueue?) throws -> DatabaseQueue {
    try earlier?.close()
    try removeScratch()
    let queue = try open("peer-scratch.db")
    try queue.write { database in for statement in schema { try database.execute(sql: statement) } }
    return queue
  }

  func copy(_ file: String) throws -> DatabaseQueue {
    try removeScratch()
    for suffix in ["", "-wal"] {
      let source = folder.appending(path: file + suffix)
      guard FileManager.default.fileExists(atPath: source.path) else { continue }
      try FileManager.default.copyItem(at: source, to: folder.appending(path: "peer-scratch.db" + suffix))
    }
    return try open("peer-scratch.db")
  }

  func removeScratch() throws {
    for suffix in ["", "-wal", "-shm"] {
      let file = folder.appending(path: "peer-scratch.db" + suffix)
      if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
    }
  }
}
