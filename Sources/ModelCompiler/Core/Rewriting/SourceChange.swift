/// Something that the rewriter has changed in a file, or has seen and left.
package struct SourceChange: Equatable, Sendable, CustomStringConvertible {
  package var path: String
  package var line: Int
  package var text: String
  /// It stays as it was, although it does not mean here what it means on Apple's platforms.
  package var isLeft = false

  package var description: String { isLeft ? "\(path):\(line):1: warning: \(text)" : "\(path):\(line): \(text)" }
}
