/// Replacements in the bytes of a source that keep every line in its place, and columns if possible.
struct SourceEdits {
  private let source: [UInt8]
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  init(_ source: [UInt8]) { self.source = source }

  /// Puts blanks in the place of something.
  mutating func blank(_ range: Range<Int>) { replace(range, with: "") }

  /// Replaces something, filled up with blanks to its length.
  mutating func replace(_ range: Range<Int>, with text: String) {
    let lines = source[range].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var bytes = Array(text.utf8)
    bytes += Array(repeating: UInt8(ascii: "\n"), count: max(0, lines.count - 1))
    let width = lines.count > 1 ? lines[lines.count - 1].count : range.count - bytes.count
    bytes += Array(repeating: UInt8(ascii: " "), count: max(0, width))
    edits.append((range, bytes))
  }

  mutating func insert(_ text: String, at position: Int) { edits.append((position..<position, Array(text.utf8))) }

  /// Removes a part that is inserted elsewhere: leaves blanks, and returns the part with its replacements made.
  mutating func take(_ range: Range<Int>) -> String {
    let text = result(of: range)
    edits.removeAll { $0.range.lowerBound >= range.lowerBound && $0.range.upperBound <= range.upperBound }
    blank(range)
    return text
  }

  /// The source with the replacements made. Those inside others are left out.
  var result: String { result(of: 0..<source.count) }

  /// A part with its replacements made.
  func result(of range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    var position = range.lowerBound
    // If several edits begin at one place, insertions come before replacements.
    let order = edits.sorted {
      ($0.range.lowerBound, $0.range.upperBound) < ($1.range.lowerBound, $1.range.upperBound)
    }
    for edit in order where edit.range.lowerBound >= position && edit.range.upperBound <= range.upperBound {
      bytes += source[position..<edit.range.lowerBound]
      bytes += edit.text
      position = edit.range.upperBound
    }
    return String(decoding: bytes + source[position..<range.upperBound], as: UTF8.self)
  }
}
