import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate

/// The kind of a test of one string against another.
package enum SQLStringTest: Int, Sendable {
  case equals = 0
  case contains = 1
  case beginsWith = 2
  case endsWith = 3
  /// A pattern in which `*` stands for any characters and `?` for one character.
  case like = 4
  /// A regular expression that covers the whole string.
  case matches = 5
}

/// How strings are compared: the options of `NSComparisonPredicate`, with their values.
package struct SQLStringOptions: OptionSet, Sendable, Hashable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  package static let caseInsensitive = SQLStringOptions(rawValue: 1)
  package static let diacriticInsensitive = SQLStringOptions(rawValue: 2)
  package static let localeSensitive = SQLStringOptions(rawValue: 8)
  package static let widthInsensitive = SQLStringOptions(rawValue: 16)
  /// The pattern was folded when it was bound.
  package static let folded = SQLStringOptions(rawValue: 64)
}

extension SQLStringOptions {
  /// The same options for the evaluator.
  package var comparisonOptions: NSComparisonPredicate.Options {
    NSComparisonPredicate.Options(rawValue: UInt(rawValue)).subtracting(.init(rawValue: UInt(Self.folded.rawValue)))
  }
}
