import Foundation

/// A recorded predicate, which has variables in place of values. Each variable is replaced by a sample value of the right type,
/// because SQLite's plan hardly depends on the value. The user can type another value into the predicate bar.
struct SamplePredicate {
  let text: String
  let hasSamples: Bool

  init(format: String, entity: String, in store: RecordedStore) {
    var text = "", rest = format[...], hasSamples = false
    while let found = rest.firstMatch(of: /\$(values|value)\b/) {
      let before = rest[..<found.range.lowerBound]
      text += before
      // The key path with which the variable is compared: the last one before the variable, or the first one after it.
      let path =
        Self.keyPath(String(text), last: true) ?? Self.keyPath(String(rest[found.range.upperBound...]), last: false)
      let value = Self.value(path.flatMap { store.kind($0, of: entity) } ?? .text)
      text += found.1 == "values" ? "{\(value)}" : value
      rest = rest[found.range.upperBound...]
      hasSamples = true
    }
    self.text = text + rest
    self.hasSamples = hasSamples
  }

  private static let words: Set = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "ANY", "ALL", "NONE",
    "SOME", "SUBQUERY", "CAST", "NULL", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private static func keyPath(_ text: String, last: Bool) -> String? {
    // Text in quotation marks and options such as in CONTAINS[cd] are not key paths.
    let bare = text.replacing(/"[^"]*"/, with: "").replacing(/\[[a-z]+\]/, with: "")
    let paths = bare.matches(of: /[A-Za-z_][A-Za-z0-9_.]*/).map { String($0.0) }.filter {
      !words.contains($0.uppercased())
    }
    return last ? paths.last : paths.first
  }

  private static func value(_ kind: RecordedStore.Kind) -> String {
    switch kind {
    case .text, .other: "\"a\""
    case .number: "1"
    case .date: "CAST(0, \"NSDate\")"
    case .flag: "YES"
    case .object: "NULL"
    }
  }
}
