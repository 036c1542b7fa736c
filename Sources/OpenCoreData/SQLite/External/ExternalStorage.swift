import Foundation
import Synchronization

/// The files beside a store that hold large binary values.
///
/// Only the folder's name is kept here, so everything can be asked of a store that is not open.
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

  /// The value in the file that a column names; nil where that file is missing, or the column names none.
  ///
  /// What is missing is reported once.
  func value(_ column: UnsafeRawBufferPointer) -> SnapshotBlob? {
    guard let reference = ExternalReference(column) else {
      Self.report(folder, "a row has a damaged reference to a file in \(folder)")
      return nil
    }
    return value(named: reference.name)
  }

  func value(named name: String) -> SnapshotBlob? {
    let path = path(of: name)
    switch MappedFile.read(path) {
    case .success(let (data, isMapped)): return SnapshotBlob(data: data, cost: isMapped ? 0 : data.count)
    case .failure(let error):
      let reason = String(cString: strerror(error.code.rawValue))
      Self.report(path, "the external data at \(path) cannot be read, its value is nil: \(reason)")
      return nil
    }
  }

  /// The bytes of a column that may have its value inline, in a file, or (written by who knows whom) without a mark.
  func data(_ column: UnsafeRawBufferPointer) -> Data? {
    switch column.first {
    case 1: Data(column.dropFirst())
    case 2: value(column)?.data
    default: Data(column)
    }
  }

  private static let reported = Mutex<Set<String>>([])

  private static func report(_ subject: String, _ text: String) {
    let isNew = reported.withLock { $0.count < 10_000 && $0.insert(subject).inserted }
    if isNew { FileHandle.standardError.write(Data("CoreData: error: \(text)\n".utf8)) }
  }
}
