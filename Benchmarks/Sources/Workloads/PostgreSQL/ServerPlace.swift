import CoreData
import CoreDataPostgreSQL
import Foundation
import PerformanceTuning

/// The place of the stores for workloads over a server: schemas of one database.
struct ServerPlace {
  let url: URL

  init(_ text: String) throws {
    guard let url = URL(string: text), url.scheme == "postgresql" else {
      throw WorkloadError(description: "\(text) is no URL of a server")
    }
    self.url = url
  }

  /// The schema that the writing workloads make and remove.
  static let scratch = "framework_scratch"
  /// Returns the schema with that many photos, which is loaded once.
  static func photos(_ count: Int) -> String { "framework_photos_\(count)" }
  /// Returns the schema with that many selfies and people, each selfie related to each person.
  static func pairs(_ count: Int) -> String { "framework_pairs_\(count)" }

  private func store(_ schema: String) -> URL {
    url.appending(queryItems: [URLQueryItem(name: "schema", value: schema)])
  }

  /// Opens a store of photos, and makes it if it does not exist.
  func album(_ schema: String, tracksHistory: Bool = false) throws -> AlbumStack {
    try AlbumStack(url: store(schema), type: NSPostgreSQLStoreType, tracksHistory: tracksHistory)
  }

  /// Opens a store of people and selfies, and makes it if it does not exist.
  func people(_ schema: String) throws -> PerformanceStack {
    try PerformanceStack(url: store(schema), type: NSPostgreSQLStoreType)
  }

  /// Removes a store; it is no error if there is none.
  func remove(_ schema: String) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try coordinator.destroyPersistentStore(at: store(schema), ofType: NSPostgreSQLStoreType)
  }
}

/// Runs the workload with a name such as pg-fetch-10000.
/// - Returns: false if there is no such workload.
func runServerWorkload(_ name: String, _ place: String) throws -> Bool {
  let workloads: [String: (ServerPlace, String, Int) throws -> Void] = [
    "pg-prepare": prepareServerPhotos, "pg-prepare-pairs": prepareServerPairs, "pg-batch": runServerBatch,
    "pg-save": runServerSave, "pg-saves": runServerSaves, "pg-writers": runServerWriters, "pg-fetch": runServerFetch,
    "pg-faults": runServerFaults, "pg-prefetch": runServerPrefetch, "pg-merge": runServerMerge,
  ]
  guard let dash = name.lastIndex(of: "-"), let workload = workloads[String(name[..<dash])],
    let count = Int(name[name.index(after: dash)...])
  else { return false }
  try workload(ServerPlace(place), name, count)
  return true
}

/// Loads photos.
private func prepareServerPhotos(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  try place.remove(ServerPlace.photos(count))
  let stack = try place.album(ServerPlace.photos(count))
  try stack.context.insertBatch(PhotoRecord.make(count))
  try stack.close()
}

/// Loads selfies and people.
private func prepareServerPairs(_ place: ServerPlace, _ name: String, _ count: Int) throws {
  try place.remove(ServerPlace.pairs(count))
  let stack = try place.people(ServerPlace.pairs(count))
  try SampleDataLoader(size: SampleSize(people: count, selfies: count, networks: 1)).load(into: stack.context)
  try stack.close()
}
