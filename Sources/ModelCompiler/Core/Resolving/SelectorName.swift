/// The selector that Objective-C gives a Swift method.
enum SelectorName {
  /// Returns the selector of a method.
  /// - Parameter labels: the labels of the method's parameters; `_` for a parameter without a label.
  static func of(_ name: String, _ labels: [String]) -> String {
    guard let first = labels.first else { return name }
    var selector = name
    if first != "_" {
      let word = first.prefix { $0.isLowercase }
      selector += prepositions.contains(String(word)) ? "" : "With"
      selector += first.prefix(1).uppercased() + first.dropFirst()
    }
    return selector + ":" + labels.dropFirst().map { ($0 == "_" ? "" : $0) + ":" }.joined()
  }

  private static let prepositions: Set = [
    "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from", "given",
    "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until",
    "using", "via", "when", "with", "within",
  ]
}
