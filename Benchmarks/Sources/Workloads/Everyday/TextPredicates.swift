import CoreData
import Foundation

/// Counts the names that predicates of text select, in the store.
func runTextPredicates(_ store: Store) throws {
  for letters in TextNames.Letters.allCases {
    let text = try TextNames(store, Counting.isOn ? 1000 : 10_000, letters)
    for test in TextTest.all(letters, in: text.names) {
      let name = "text-\(test.name)-\(letters)"
      guard Counting.includes(name) else { continue }
      let request = text.request(test.predicate)
      let expected = text.names.count(where: test.selects)
      try measure(name) {
        let found = try text.stack.context.count(for: request)
        guard found == expected, found > 0 else {
          throw WorkloadError(description: "\(name): \(found) names, not \(expected)")
        }
        return found
      }
    }
    try text.close()
  }
}

/// A predicate, and the same test in Swift.
private struct TextTest {
  let name: String
  let predicate: NSPredicate
  let selects: (String) -> Bool

  private init(_ name: String, _ format: String, _ value: String, _ selects: @escaping (String) -> Bool) {
    self.name = name
    predicate = NSPredicate(format: "name " + format + " %@", value)
    self.selects = selects
  }

  static func all(_ letters: TextNames.Letters, in names: [String]) -> [TextTest] {
    let (part, beginning) = letters == .ascii ? ("Munster 1", "castle") : ("Münster 1", "chateau")
    let whole = names[7].folded
    return [
      TextTest("contains", "CONTAINS", part) { $0.contains(part) },
      TextTest("contains-cd", "CONTAINS[cd]", part) { $0.folded.contains(part.folded) },
      TextTest("equal-cd", "==[cd]", whole) { $0.folded == whole },
      TextTest("begins-cd", "BEGINSWITH[cd]", beginning) { $0.folded.hasPrefix(beginning) },
      TextTest("matches", "MATCHES", "[A-Z]+ .*[0-9]7[0-9]") { name in
        let words = name.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].unicodeScalars.allSatisfy({ "A"..."Z" ~= $0 }) else { return false }
        let digits = words[1].unicodeScalars.suffix(3)
        return digits.count == 3 && digits.allSatisfy { "0"..."9" ~= $0 } && digits.dropLast().last == "7"
      },
      TextTest("matches-plain", "MATCHES", ".*r\(letters == .ascii ? "ton" : "th") 1.*") {
        $0.contains("r\(letters == .ascii ? "ton" : "th") 1")
      },
    ]
  }
}

extension String {
  /// The text without case and diacritics.
  fileprivate var folded: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }
}
