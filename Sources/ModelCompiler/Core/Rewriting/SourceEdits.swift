/// Replacements in the bytes of a source that keep the lines of all code, and its columns where possible.
struct SourceEdits {
  private let source: [UInt8]
  private var edits: [(range: Range<Int>, text: [UInt8])] = []

  init(_ source: [UInt8]) { self.source = source }

  /// Replaces a range with spaces.
  mutating func blank(_ range: Range<Int>) { replace(range, with: "") }

  /// Replaces a range with a text, and adds spaces up to the range's length.
  mutating func replace(_ range: Range<Int>, with text: String) {
    let lines = source[range].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    var bytes = Array(text.utf8)
    bytes += Array(repeating: UInt8(ascii: "\n"), count: max(0, lines.count - 1))
    let width = lines.count > 1 ? lines[lines.count - 1].count : range.count - bytes.count
    bytes += Array(repeating: UInt8(ascii: " "), count: max(0, width))
    edits.append((range, bytes))
  }

  /// Replaces a range, and all that was replaced in it.
  mutating func overwrite(_ range: Range<Int>, with text: String) {
    edits.removeAll { $0.range.lowerBound >= range.lowerBound && $0.range.upperBound <= range.upperBound }
    replace(range, with: text)
  }

  mutating func insert(_ text: String, at position: Int) { edits.append((position..<position, Array(text.utf8))) }

  /// Takes a part out that is inserted elsewhere: leaves spaces in its place, and returns the part with its
  /// replacements made.
  mutating func take(_ range: Range<Int>) -> String {
    let text = result(of: range)
    overwrite(range, with: "")
    return text
  }

  /// The source with all replacements made. Replacements within other replacements are left out.
  var result: String { result(of: 0..<source.count) }

  /// Returns a part of the source with its replacements made.
  func result(of range: Range<Int>) -> String {
    var bytes: [UInt8] = []
    var position = range.lowerBound
    // If edits begin at the same place, insertions come before replacements.
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
