import Foundation
import OpenCocoaFoundation

/// The sort descriptors of a fetch as a recording keeps them: `likes DESC, name (caseInsensitiveCompare:)`.
enum RecordedSort {
  /// Separates a predicate's shape from the sort descriptors, which are recorded as one name.
  private static let separator: Character = "\u{1F}"

  static func text(of descriptors: [NSSortDescriptor]) -> String {
    descriptors.map { descriptor in
      let selector = descriptor.selector?.description
      let order = selector == "compare:" ? "" : " (\(selector ?? "comparator"))"
      return (descriptor.key ?? "SELF") + order + (descriptor.ascending ? "" : " DESC")
    }
    .joined(separator: ", ")
  }

  static func joined(_ shape: String?, _ sort: String) -> String { "\(shape ?? "")\(separator)\(sort)" }

  static func parts(_ text: String) -> (shape: String?, sort: String?) {
    guard let place = text.lastIndex(of: separator) else { return (text, nil) }
    let shape = String(text[..<place])
    return (shape.isEmpty ? nil : shape, String(text[text.index(after: place)...]))
  }
}
