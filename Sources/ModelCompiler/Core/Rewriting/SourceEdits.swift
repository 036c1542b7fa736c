/// Replacements in the bytes of a source that keep every line where it is, and columns as far as they can.
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

  /// The source with the replacements made. Those inside others are left out.
  var result: String {
    var bytes: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound })
    where edit.range.lowerBound >= position {
      bytes += source[position..<edit.range.lowerBound]
      bytes += edit.text
      position = edit.range.upperBound
    }
    return String(decoding: bytes + source[position...], as: UTF8.self)
  }
}
