import CoreData
import Foundation
import PerformanceTuning

/// The files that the workloads use, in one folder.
struct Store {
  let folder: URL

  /// The store that `prepare` loads once, and that is only read afterwards.
  var loaded: URL { folder.appending(path: "framework.sqlite") }
  /// The store with fewer selfies, for counting instructions: the cost of the join tables is linear in their number.
  var few: URL { folder.appending(path: "framework-few.sqlite") }
  private static let fewSelfies = SampleSize(people: 500, selfies: 50, networks: 500)
  /// The number of objects for workloads that fill or read the join tables.
  static var walkedSize: SampleSize { Counting.isOn ? fewSelfies : SampleSize() }
  /// The store that the writing workloads make and remove.
  var scratch: URL { folder.appending(path: "framework-scratch.sqlite") }

  /// Loads the stores that the reading workloads use.
  func prepare() throws {
    try load(loaded, SampleSize())
    try load(few, Self.fewSelfies)
    try preparePhotos(PhotoSet.small)
    // Works with this number of photos are not counted.
    if !Counting.isOn { try preparePhotos(PhotoSet.medium) }
    try prepareOwners()
    try prepareSightings()
    try prepareFifty()
    try prepareTracks(TrackList.small)
    if !Counting.isOn { try prepareTracks(TrackList.medium) }
  }

  private func load(_ url: URL, _ size: SampleSize) throws {
    try remove(url)
    let stack = try PerformanceStack(url: url)
    try SampleDataLoader(size: size).load(into: stack.context)
    try stack.close()
  }

  /// Opens the loaded store.
  func open() throws -> PerformanceStack { try open(loaded, SampleSize()) }

  /// Opens the store for a walk through all relationships.
  func openWalked() throws -> PerformanceStack { try open(Counting.isOn ? few : loaded, Self.walkedSize) }

  private func open(_ url: URL, _ size: SampleSize) throws -> PerformanceStack {
    let stack = try PerformanceStack(url: url)
    guard try stack.loadedSize() == size else {
      throw WorkloadError(description: "\(url.path) is not loaded; run 'prepare' first")
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

  /// Renames the files of a closed store.
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
