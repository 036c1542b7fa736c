import Foundation

/// The place of a migration's backup, shown before the backup is made.
enum BackupPlace {
  static func text(of store: URL) -> String {
    guard store.isFileURL else {
      return "in a schema of its own in the same database, named after this one with “-backup”"
    }
    let name = store.deletingPathExtension().lastPathComponent
    let suffix = store.pathExtension.isEmpty ? "" : "." + store.pathExtension
    let folder = store.deletingLastPathComponent()
    var number = 1
    while true {
      let base = "\(name)-backup\(number > 1 ? "-\(number)" : "")"
      let place = folder.appendingPathComponent(base + suffix)
      let support = folder.appendingPathComponent(".\(base)_SUPPORT")
      if ![place, support].contains(where: { FileManager.default.fileExists(atPath: $0.path) }) { return place.path }
      number += 1
    }
  }
}
