import Foundation

/// Fills arguments into the format of a localized text.
///
/// A format comes from a file that translators write. `String(format:)` reads memory at random where it asks for arguments
/// that are not there; here such a format is refused.
enum LocalizedFormat {
  /// Returns a format with its arguments.
  /// - Returns: nil if the format asks for an argument that is not there or is of another kind.
  static func text(_ format: String, _ arguments: [LocalizedArgument], _ locale: Locale) -> String? {
    var result = ""
    var rest = format[...]
    var next = 0
    while let mark = rest.firstIndex(of: "%") {
      result += rest[..<mark]
      rest = rest[rest.index(after: mark)...]
      if rest.first == "%" {
        result += "%"
        rest.removeFirst()
        continue
      }
      // The argument's number, flags with width and precision, the length of a number, the conversion.
      let conversion = #/(?:([0-9]{1,3})\$)?([-+ 0#']*[0-9]{0,3}(?:\.[0-9]{0,3})?)(?:hh|h|ll|l|q|z|t|j|L)?([@a-zA-Z])/#
      guard let match = rest.prefixMatch(of: conversion), let letter = match.3.first else { return nil }
      let position = match.1.flatMap { Int($0) }.map { $0 - 1 } ?? next
      guard arguments.indices.contains(position),
        let text = arguments[position].formatted(String(match.2), letter, locale)
      else { return nil }
      if match.1 == nil { next += 1 }
      result += text
      rest = rest[match.range.upperBound...]
    }
    return result + rest
  }
}
