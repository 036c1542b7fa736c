import CocoaFoundation
import Foundation
import Testing

/// Formats collected from the sources of published applications and libraries.
@Suite("Formats found in published code")
struct CorpusTests {
  /// The corpus lies beside the package, or beside the folder of its worktrees.
  private static let file: URL? = {
    let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardizedFileURL
    return ["..", "../.."].map { package.appendingPathComponent("\($0)/shared/corpus/predicate-formats.tsv") }
      .first { FileManager.default.fileExists(atPath: $0.standardizedFileURL.path) }
  }()

  static var formats: [String] {
    guard let file, let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").dropFirst().compactMap { line in
      line.split(separator: "\t", omittingEmptySubsequences: false).first.map { source(String($0)) }
    }
  }

  /// A format as the program sees it: what Swift inserts becomes a name, escapes become characters.
  private static func source(_ literal: String) -> String {
    var text = ""
    var rest = Substring(literal)
    while let character = rest.popFirst() {
      guard character == "\\", let escaped = rest.popFirst() else {
        text.append(character)
        continue
      }
      switch escaped {
      case "(":
        var depth = 1
        while depth > 0, let next = rest.popFirst() { depth += next == "(" ? 1 : next == ")" ? -1 : 0 }
        text += "inserted"
      case "n": text += "\n"
      default: text.append(escaped)
      }
    }
    return text
  }

  /// Values that suit the conversions of a format.
  static func arguments(of format: String) -> [Any?] {
    var arguments: [Any?] = []
    var rest = Substring(format)
    while let percent = rest.firstIndex(of: "%") {
      rest = rest[rest.index(after: percent)...].drop { "hlqzjt".contains($0) }
      switch rest.popFirst() {
      case "@": arguments.append([1, 2])
      case "K": arguments.append("key")
      case "%", nil: break
      default: arguments.append(1)
      }
    }
    return arguments
  }

  /// Why a format is neither a predicate nor an expression.
  private static func reason(_ format: String) -> String? {
    let reasons: [(String, String)] = [
      ("mgl_", "functions that Mapbox adds to NSExpression"), ("MGL_", "functions that Mapbox adds to NSExpression"),
      ("inserted", "an operator or a whole predicate inserted by Swift"),
    ]
    return reasons.first { format.contains($0.0) }?.1 ?? known[format]
  }

  private static let known: [String: String] = [
    "%@.%@": "a key that is not given by %K",
    "(SELF isKindOfClass: %@)": "a method as operator, which needs a runtime that calls methods by name",
  ]

  @Test(
    "Every format parses, or is listed with the reason why not",
    .enabled(if: !formats.isEmpty, "the corpus is not there"))
  func corpus() {
    var predicates = 0
    var expressions = 0
    var reasons: [String: Int] = [:]
    for format in Self.formats {
      let arguments = Self.arguments(of: format)
      do {
        let predicate = try NSPredicate(parsing: format, arguments: arguments)
        predicates += 1
        let printed = predicate.description
        #expect((try? NSPredicate(parsing: printed))?.description == printed, "\(format)")
      } catch {
        if (try? NSExpression(parsing: format, arguments: arguments)) != nil {
          expressions += 1
        } else if let reason = Self.reason(format) {
          reasons[reason, default: 0] += 1
        } else {
          Issue.record("\(error)")
        }
      }
    }
    #expect(predicates > 1000, "\(predicates) predicates, \(expressions) expressions, \(reasons)")
  }
}
