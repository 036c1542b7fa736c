/// A regular expression of MATCHES in a server's own syntax, for patterns that mean the same in both: characters, lists
/// and ranges of letters and digits, any character but the end of a line, groups, alternatives and repetitions.
///
/// The two may match a repetition with different parts of a string. This does not change whether the pattern covers the
/// whole string.
package struct PostgreSQLPattern {
  /// The pattern for the server's `~`, which is anchored at both ends.
  package let text: String

  /// - Returns: nil for any other pattern.
  package init?(_ pattern: String) {
    var reader = Reader(rest: Array(pattern.unicodeScalars)[...])
    guard pattern.unicodeScalars.count <= 200, reader.alternatives(), reader.rest.isEmpty else { return nil }
    text = "^(?:\(reader.text))$"
  }

  private struct Reader {
    var rest: ArraySlice<Unicode.Scalar>
    var text = ""
    private var depth = 0
    /// The number of repetitions with bounds. Each enlarges the server's automaton by as many times as its bound says.
    private var numbers = 0
    /// The number of repetitions so far.
    private var repetitions = 0

    init(rest: ArraySlice<Unicode.Scalar>) { self.rest = rest }

    private mutating func takes(_ scalar: Unicode.Scalar) -> Bool {
      guard rest.first == scalar else { return false }
      rest.removeFirst()
      return true
    }

    mutating func alternatives() -> Bool {
      repeat {
        guard atom() else { return false }
        while let next = rest.first, next != "|", next != ")" { if !atom() { return false } }
        guard takes("|") else { return true }
        text += "|"
      } while true
    }

    private mutating func atom() -> Bool {
      let before = repetitions
      guard let scalar = rest.popFirst() else { return false }
      switch scalar {
      case ".": text += "[^\\n\\u000b\\u000c\\r\\u0085\\u2028\\u2029]"
      case "(": if !group() { return false }
      case "[": if !list() { return false }
      case "\\":
        // An escaped letter or digit would be a character class, an anchor or a reference.
        guard let escaped = rest.popFirst(), escaped.isASCII, Self.isPunctuation(escaped) else { return false }
        text += (Self.isLiteral(escaped) ? "" : "\\") + String(escaped)
      default:
        guard Self.isLiteral(scalar) else { return false }
        text.unicodeScalars.append(scalar)
      }
      return repetition(hasInner: repetitions > before)
    }

    private mutating func group() -> Bool {
      if takes("?"), !takes(":") { return false }
      depth += 1
      guard depth <= 20 else { return false }
      text += "(?:"
      guard alternatives(), takes(")") else { return false }
      text += ")"
      depth -= 1
      return true
    }

    private mutating func list() -> Bool {
      text += takes("^") ? "[^" : "["
      var isEmpty = true
      while let scalar = rest.popFirst() {
        if scalar == "]" {
          text += "]"
          return !isEmpty
        }
        guard Self.isLetterOrDigit(scalar) else { return false }
        text.unicodeScalars.append(scalar)
        isEmpty = false
        guard takes("-") else { continue }
        guard let last = rest.popFirst(), Self.isLetterOrDigit(last), scalar < last else { return false }
        text += "-" + String(last)
      }
      return false
    }

    /// - Parameter hasInner: whether the repeated part contains a repetition. ICU gives up on some repetitions of parts
    ///   that may be empty, so that `(?:a?)*?b|c` does not match "c". Others take so long that a limit ends them.
    private mutating func repetition(hasInner: Bool) -> Bool {
      guard let sign = rest.first, ["*", "+", "?", "{"].contains(sign) else { return true }
      guard !hasInner else { return false }
      repetitions += 1
      rest.removeFirst()
      if sign == "{" {
        guard bounds() else { return false }
      } else {
        text.unicodeScalars.append(sign)
      }
      if takes("?") { text += "?" }
      // A further sign would make the repetition possessive, or repeat the repetition.
      return rest.first.map { !["*", "+", "?", "{"].contains($0) } ?? true
    }

    private mutating func bounds() -> Bool {
      numbers += 1
      guard numbers <= 2, let low = number() else { return false }
      text += "{\(low)"
      if takes(",") {
        text += ","
        if rest.first != "}" {
          guard let high = number(), high >= low else { return false }
          text += "\(high)"
        }
      }
      text += "}"
      return takes("}")
    }

    private mutating func number() -> Int? {
      var digits = ""
      while let digit = rest.first, digit.isASCII, digit.properties.numericType == .decimal {
        digits.unicodeScalars.append(digit)
        rest.removeFirst()
      }
      return Int(digits).flatMap { $0 <= 30 ? $0 : nil }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9": true
      default: false
      }
    }

    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
      scalar.value > 0x20 && scalar.value < 0x7F && !isLetterOrDigit(scalar)
    }

    /// Whether a character stands for itself in both syntaxes.
    private static func isLiteral(_ scalar: Unicode.Scalar) -> Bool {
      isLetterOrDigit(scalar) || " _-,:;@%&=!<>\"'/~`".unicodeScalars.contains(scalar)
        || scalar.value > 0x7F && scalar.properties.isAlphabetic
    }
  }
}
