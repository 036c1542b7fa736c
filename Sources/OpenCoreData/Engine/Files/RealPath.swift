import Foundation

/// The place of a file that a path leads to, after all symbolic links.
///
/// SQLite keeps the log and its index beside that place, and a store its other files. So a path is followed once, when a store
/// is opened or looked at, and not again: the links may be changed meanwhile.
package struct RealPath {
  /// The path without links. The file need not exist: a link to a file that is made later has a path, too.
  package let path: String
  /// The links in the place of the file, one leading to the next, in folders without links. Links to folders are not among
  /// them.
  package let links: [String]

  /// The greatest number of links that lead to each other, as in the system.
  private static let limit = 40

  package init(_ path: String) {
    var next = path
    var links: [String] = []
    for _ in 0..<Self.limit {
      let name = (next as NSString).lastPathComponent
      if ["", "/", ".", ".."].contains(name) { break }
      let folder = (next as NSString).deletingLastPathComponent
      let home = Self.real(folder.isEmpty ? "." : folder) ?? folder
      next = home == "/" ? "/\(name)" : "\(home)/\(name)"
      guard let target = Self.target(of: next) else {
        (self.path, self.links) = (next, links)
        return
      }
      links.append(next)
      next = target.hasPrefix("/") ? target : "\(home)/\(target)"
    }
    // A folder, or links that lead in a circle, which whoever opens the file reports.
    (self.path, self.links) = (Self.real(path) ?? path, [])
  }

  /// Returns the path of something that exists.
  private static func real(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns what a link names; nil for everything else.
  private static func target(of path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink(path, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }
}
