import Foundation
import Synchronization

/// The templates of formats that a program uses again and again.
///
/// A format gets its template when it comes for the second time, so that one that comes once costs only a look.
final class FormatCache: Sendable {
  static let shared = FormatCache()

  /// A format, and the key paths that are its arguments for `%K`. Texts are equal here if their bytes are.
  private struct Key: Hashable {
    let format: String
    let keyPaths: [String]

    static func == (left: Key, right: Key) -> Bool {
      StringBytes.equal(left.format, right.format) && left.keyPaths.elementsEqual(right.keyPaths, by: StringBytes.equal)
    }
  }

  private struct Contents {
    /// The conversions of the formats that have come at least twice; nil for one that has come once.
    var conversions: [Key: [Character]?] = [:]
    /// Nil for a format that only the parser can turn into a predicate.
    var templates: [Key: FormatTemplate?] = [:]
  }

  private let contents = Mutex(Contents())
  /// How many formats, and how many templates, the cache may have.
  private let limit: Int
  /// Longer formats are texts that a program has put together.
  private let longestFormat = 500

  init(limit: Int = 256) { self.limit = limit }

  /// How many templates the cache has.
  var count: Int { contents.withLock { $0.templates.count } }

  /// Returns the predicate of a format by its template; nil if the format has to be parsed.
  func predicate(_ format: String, arguments: [Any?]) -> NSPredicate? {
    guard format.utf8.count <= longestFormat, let (conversions, tokens) = conversions(of: format),
      conversions.count <= arguments.count, let keyPaths = keyPaths(conversions, arguments)
    else { return nil }
    let key = Key(format: format, keyPaths: keyPaths)
    if let known = contents.withLock({ $0.templates[key] }) { return known?.predicate(arguments) }
    let template = FormatTemplate(format, tokens: tokens, conversions: conversions, arguments: arguments)
    contents.withLock { contents in
      if contents.templates.count >= limit { contents.templates.removeAll(keepingCapacity: true) }
      contents.templates[key] = .some(template)
    }
    return template?.predicate(arguments)
  }

  /// Returns the conversions of a format, and its tokens if they were read for that; nil for a format that comes for the first
  /// time, or that is not valid.
  private func conversions(of format: String) -> (conversions: [Character], tokens: [FormatToken]?)? {
    let key = Key(format: format, keyPaths: [])
    let known = contents.withLock { contents -> [Character]?? in
      if let known = contents.conversions[key] { return known }
      if contents.conversions.count >= limit { contents.conversions.removeAll(keepingCapacity: true) }
      contents.conversions[key] = .some(nil)
      return nil
    }
    guard let known else { return nil }
    if let known { return (known, nil) }
    guard let tokens = try? FormatLexer.tokens(of: format) else { return nil }
    let conversions = tokens.compactMap { token in
      if case .argument(let conversion) = token.kind { conversion } else { nil as Character? }
    }
    contents.withLock { $0.conversions[key] = .some(conversions) }
    return (conversions, tokens)
  }

  /// Returns the arguments for `%K`; nil if one of them is no text.
  private func keyPaths(_ conversions: [Character], _ arguments: [Any?]) -> [String]? {
    guard conversions.contains("K") else { return [] }
    var keyPaths: [String] = []
    for (conversion, argument) in zip(conversions, arguments) where conversion == "K" {
      guard let text = argument.flatMap(exactString) else { return nil }
      keyPaths.append(text)
    }
    return keyPaths
  }
}
