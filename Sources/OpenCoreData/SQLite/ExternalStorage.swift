import Foundation

/// The files beside a store that hold large binary values.
///
/// Only names of files are kept here, so everything can be asked of a store that is not open.
struct ExternalStorage: Sendable {
  /// The path of the folder with the files.
  let folder: String

  init(storePath: String) {
    let support = Self.supportFolder(forStoreAt: URL(fileURLWithPath: storePath))
    folder = support.appendingPathComponent("_EXTERNAL_DATA").path
  }

  /// `.<name of the store without extension>_SUPPORT` beside the store: everything in it belongs to the store.
  ///
  /// Most stores have none. It is made when the first value is written to it.
  static func supportFolder(forStoreAt url: URL) -> URL {
    let name = url.deletingPathExtension().lastPathComponent
    return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT", isDirectory: true)
  }

  func path(of name: String) -> String { "\(folder)/\(name)" }
}
