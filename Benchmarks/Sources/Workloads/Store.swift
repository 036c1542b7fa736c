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

  /// Loads the stores that the reading workloads use.
  func prepare() throws {
    try remove(loaded)
    let stack = try PerformanceStack(url: loaded)
    try SampleDataLoader().load(into: stack.context)
    try stack.close()
    try preparePhotos(PhotoSet.small)
    try preparePhotos(PhotoSet.medium)
    try prepareOwners()
    try prepareSightings()
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
    try copy(loaded, to: scratch)
    return try PerformanceStack(url: scratch)
  }

  /// Copies a store's files.
  func copy(_ source: URL, to target: URL) throws {
    try remove(target)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: target.path + suffix)
    }
  }

  /// Gives a closed store another name.
  func move(_ source: URL, to target: URL) throws {
    try remove(target)
    for suffix in ["-wal", ""] where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.moveItem(atPath: source.path + suffix, toPath: target.path + suffix)
    }
  }

  /// Removes a store's files.
  func remove(_ url: URL) throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.removeItem(atPath: url.path + suffix)
    }
  }
}
