import CoreData
import Foundation
import PerformanceTuning

/// The files that the workloads use, in one folder.
struct Store {
  let folder: URL

  /// Loaded once by `prepare`, and only read afterwards.
  var loaded: URL { folder.appending(path: "framework.sqlite") }
  /// Made and removed by workloads that write.
  var scratch: URL { folder.appending(path: "framework-scratch.sqlite") }

  /// Loads the store that the reading workloads use.
  func prepare() throws {
    try remove(loaded)
    let stack = try PerformanceStack(url: loaded)
    try SampleDataLoader().load(into: stack.context)
    try stack.close()
  }

  /// Opens the loaded store.
  func open() throws -> PerformanceStack {
    let stack = try PerformanceStack(url: loaded)
    guard try stack.loadedSize() == SampleSize() else {
      throw WorkloadError(description: "\(loaded.path) is not loaded; run 'prepare' first")
    }
    return stack
  }

  /// Copies the loaded store and opens the copy.
  func openCopy() throws -> PerformanceStack {
    try remove(scratch)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: loaded.path + suffix) {
      try FileManager.default.copyItem(atPath: loaded.path + suffix, toPath: scratch.path + suffix)
    }
    return try PerformanceStack(url: scratch)
  }

  /// Removes a store's files.
  func remove(_ url: URL) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }
}
