import CommandSupport
import Foundation

/// Where a program makes its files: the folder that its user names, or one of the system's for temporary files, which is removed in
/// the end.
package struct WorkingFolder {
  package let url: URL
  private let isTemporary: Bool

  /// Makes the folder if it is missing.
  ///
  /// - Parameters:
  ///   - path: The folder that the user names; nil for a temporary one.
  ///   - program: The program's name, which a temporary folder's name begins with.
  /// - Throws: The errors of making the folder.
  package init(_ path: String?, of program: String) throws {
    isTemporary = path == nil
    url =
      path.map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.temporaryDirectory.appending(path: "\(program)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Refuses a folder that has stores, below other folders, too: their rows would be counted with the program's own.
  ///
  /// - Throws: A `ToolError` that names a store.
  package func requireNoStore() throws {
    let present = try FileManager.default.subpathsOfDirectory(atPath: url.path)
    if let store = present.first(where: { $0.hasSuffix(".sqlite") }) {
      throw ToolError("There is a store in \(url.path) already: \(store). Name another folder.")
    }
  }

  /// Removes the folder if it is a temporary one.
  package func remove() {
    if isTemporary { try? FileManager.default.removeItem(at: url) }
  }
}
