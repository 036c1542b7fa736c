import Foundation

/// The bytes of a store on the disk.
struct StoreSize: Codable, Equatable {
  /// The store's file.
  var store = 0
  /// The write-ahead log, which grows with each save until a checkpoint moves its pages into the store's file.
  var log = 0
  /// The files beside: Core Data's external values, or the program's pictures.
  var beside = 0
  /// The number of those files.
  var files = 0

  var total: Int { store + log + beside }

  /// Measures the files of a store.
  init(of url: URL) {
    let name = url.deletingPathExtension().lastPathComponent
    let folder = url.deletingLastPathComponent()
    store = Self.size(of: url)
    log = Self.size(of: folder.appending(path: url.lastPathComponent + "-wal"))
    for place in [folder.appending(path: ".\(name)_SUPPORT/_EXTERNAL_DATA"), PictureFolder(store: url).url] {
      for file in (try? FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)) ?? [] {
        beside += Self.size(of: file)
        files += 1
      }
    }
  }

  private static func size(of url: URL) -> Int {
    (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int) ?? 0
  }
}
