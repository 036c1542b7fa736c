import CoreData
import Foundation
import PerformanceTuning

/// A small store in a folder of its own, removed with this object.
final class LoadedStore {
  static let size = SampleSize(people: 12, selfies: 10, networks: 8)

  let folder: URL
  let stack: PerformanceStack
  var url: URL { folder.appending(path: "store.sqlite") }
  var context: NSManagedObjectContext { stack.context }

  init(size: SampleSize = LoadedStore.size) throws {
    folder = try TemporaryFolder.make()
    stack = try PerformanceStack(url: folder.appending(path: "store.sqlite"))
    try SampleDataLoader(size: size, batchSize: 4).load(into: stack.context)
  }

  deinit {
    try? stack.close()
    try? FileManager.default.removeItem(at: folder)
  }
}

enum TemporaryFolder {
  static func make() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "PerformanceTuningTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }
}
