import Foundation

/// The text of a derivation as version hashes and archives need it.
enum DerivationText {
  /// The functions that source models write as an operator at the end of a key path.
  private static let operators = ["count", "sum"]

  /// `pages.@count` becomes `count:(pages)`; everything else stays as it is.
  static func normalized(_ text: String) -> String {
    let text = text.trimmingCharacters(in: .whitespaces)
    for name in operators where text.hasSuffix(".@" + name) {
      return "\(name):(\(text.dropLast(name.count + 2)))"
    }
    return text
  }
}
