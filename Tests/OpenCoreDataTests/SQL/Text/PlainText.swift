import CoreData
import Foundation
import OpenCocoaFoundation

@_spi(Store) @testable import OpenCoreData

/// The functions of text as they are defined, by Foundation alone and for whole strings: what the framework's own must answer.
enum PlainText {
  static func fold(_ string: String, _ options: StringFolding.Options) -> String {
    guard !options.isEmpty else { return string }
    var mask: String.CompareOptions = []
    if options.contains(.caseInsensitive) { mask.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { mask.insert(.diacriticInsensitive) }
    if options.contains(.widthInsensitive) { mask.insert(.widthInsensitive) }
    return string.folding(options: mask, locale: nil).precomposedStringWithCanonicalMapping
  }

  static func order(_ left: String, _ right: String, _ options: StringFolding.Options) -> ComparisonResult {
    let left = Array(fold(left, options).utf8), right = Array(fold(right, options).utf8)
    if left == right { return .orderedSame }
    return left.lexicographicallyPrecedes(right) ? .orderedAscending : .orderedDescending
  }

  static func holds(
    _ test: SQLStringTest, _ string: String, _ pattern: String, _ options: StringFolding.Options
  ) throws -> Bool {
    if test == .matches { return try matches(string, pattern, options) }
    let string = Array(fold(string, options).utf8), pattern = Array(fold(pattern, options).utf8)
    switch test {
    case .equals: return string == pattern
    case .beginsWith: return !pattern.isEmpty && string.starts(with: pattern)
    case .endsWith: return !pattern.isEmpty && string.reversed().starts(with: pattern.reversed())
    case .contains:
      return !pattern.isEmpty && string.indices.contains { string[$0...].starts(with: pattern) }
    case .like:
      return WildcardPattern.matches(
        String(decoding: string, as: UTF8.self), pattern: String(decoding: pattern, as: UTF8.self))
    case .matches: return false
    }
  }

  static func matches(_ string: String, _ pattern: String, _ options: StringFolding.Options) throws -> Bool {
    let folding = options.subtracting(.caseInsensitive)
    let string = fold(string, folding)
    let expression = try NSRegularExpression(
      pattern: "\\A(?:\(fold(pattern, folding)))\\z",
      options: options.contains(.caseInsensitive) ? .caseInsensitive : [])
    return expression.firstMatch(in: string, range: NSRange(location: 0, length: string.utf16.count)) != nil
  }

  static let allOptions = (0..<8).map { StringFolding.Options(rawValue: $0) }
}

extension StringFolding.Options {
  /// The same options for a function of SQL.
  var inSQL: SQLStringOptions {
    var options: SQLStringOptions = []
    if contains(.caseInsensitive) { options.insert(.caseInsensitive) }
    if contains(.diacriticInsensitive) { options.insert(.diacriticInsensitive) }
    if contains(.widthInsensitive) { options.insert(.widthInsensitive) }
    return options
  }
}

extension String {
  /// The scalars in hexadecimal digits, for messages.
  var scalarText: String { unicodeScalars.map { String($0.value, radix: 16) }.joined(separator: " ") }
}
