import Foundation

extension FileManager {
  /// Returns the contents of a regular file; nil if there is none, or something else. Opening a pipe would wait for its other
  /// end.
  func regularContents(atPath path: String) -> Data? {
    let attributes = try? attributesOfItem(atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
    guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
    return contents(atPath: path)
  }
}
