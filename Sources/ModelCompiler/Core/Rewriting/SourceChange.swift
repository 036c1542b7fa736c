/// Something that the rewriter has changed in a file, or has seen and left.
package struct SourceChange: Equatable, Sendable, CustomStringConvertible {
  package var path: String
  package var line: Int
  package var text: String
  /// Whether the code was left unchanged, although it does not have the same meaning as on Apple's platforms.
  package var isLeft = false

  package var description: String { isLeft ? "\(path):\(line):1: warning: \(text)" : "\(path):\(line): \(text)" }
}
