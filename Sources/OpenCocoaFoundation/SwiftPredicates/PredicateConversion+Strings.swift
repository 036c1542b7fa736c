import Foundation

extension PredicateExpressions.CollectionContainsCollection: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isText(Base.Output.self), PredicateConversion.isText(Other.Output.self) else {
      throw OCDConversionError.partOfCollection("contains", Base.Output.self)
    }
    return try conversion.text(base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isText(Base.Output.self), PredicateConversion.isText(Prefix.Output.self) else {
      throw OCDConversionError.partOfCollection("starts(with:)", Base.Output.self)
    }
    return try conversion.text(base, .beginsWith, prefix)
  }
}

extension OCDConversionError {
  /// The error of a part of a collection that is no text.
  fileprivate static func partOfCollection(_ function: String, _ type: Any.Type) -> OCDConversionError {
    OCDConversionError(
      .function, "`\(function)` with a part of a collection", "is not known of the type \(type)",
      instead: "Use it with texts; of other collections ask for each element.")
  }
}

extension PredicateConversion {
  fileprivate mutating func text<Text: PredicateExpression, Part: PredicateExpression>(
    _ text: Text, _ type: NSComparisonPredicate.Operator, _ part: Part
  ) throws -> ConvertedExpression {
    let text = try expression(text)
    let part = try expression(part)
    // In Swift every string contains the empty string and starts with it. For the operators no string does.
    let holds = NSPredicate.comparison(text, type, part)
    guard case .constant(let constant) = part.node else {
      return .predicate(.or(.comparison(part, .equalTo, NSExpression(forConstantValue: "")), holds))
    }
    return constant as? String == "" ? .expression(NSExpression(forConstantValue: true)) : .predicate(holds)
  }
}

extension PredicateExpressions.StringContainsRegex: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    guard PredicateConversion.isText(Subject.Output.self),
      let regex = try? regex.evaluate(PredicateBindings()) as? PredicateExpressions.PredicateRegex
    else {
      throw OCDConversionError(
        .function, "`contains` of a regular expression", "needs one that is a constant",
        instead: "Write the regular expression in the closure, or use `MATCHES` in a format.")
    }
    // MATCHES compares the whole string, so the pattern must allow any text before and after the match.
    let pattern = "(?s:.*)(?:\(regex.stringRepresentation))(?s:.*)"
    return .predicate(
      .comparison(try conversion.expression(subject), .matches, NSExpression(forConstantValue: pattern)))
  }
}

extension PredicateExpressions.StringLocalizedStandardContains: ConvertibleExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    .predicate(
      .comparison(
        try conversion.expression(root), .contains, try conversion.expression(other),
        [.caseInsensitive, .diacriticInsensitive, .localeSensitive]))
  }
}

// MARK: Orders

/// An expression whose value is the order of two strings.
protocol StringOrderExpression: ConvertibleExpression {
  associatedtype Root: PredicateExpression
  associatedtype Other: PredicateExpression

  var root: Root { get }
  var other: Other { get }
  var options: NSComparisonPredicate.Options { get }
}

extension PredicateExpressions.StringLocalizedCompare: StringOrderExpression {
  var options: NSComparisonPredicate.Options { .localeSensitive }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: StringOrderExpression {
  var options: NSComparisonPredicate.Options { .caseInsensitive }
}

extension StringOrderExpression {
  func convert(_ conversion: inout PredicateConversion) throws -> ConvertedExpression {
    let left = try conversion.expression(root)
    let right = try conversion.expression(other)
    let result = { (result: ComparisonResult) in NSExpression(forConstantValue: NSNumber(value: result.rawValue)) }
    return .expression(
      .choice(
        .comparison(left, .lessThan, right, options), result(.orderedAscending),
        .choice(.comparison(left, .equalTo, right, options), result(.orderedSame), result(.orderedDescending))))
  }

  /// Returns the comparison of the strings that is true if their order is the given one, or, if `isEqual` is false, if it is not.
  func comparison(
    _ result: ComparisonResult, _ isEqual: Bool, _ conversion: inout PredicateConversion
  ) throws -> NSPredicate {
    let type: NSComparisonPredicate.Operator =
      switch (result, isEqual) {
      case (.orderedAscending, true): .lessThan
      case (.orderedAscending, false): .greaterThanOrEqualTo
      case (.orderedSame, true): .equalTo
      case (.orderedSame, false): .notEqualTo
      case (.orderedDescending, true): .greaterThan
      case (.orderedDescending, false): .lessThanOrEqualTo
      }
    return .comparison(try conversion.expression(root), type, try conversion.expression(other), options)
  }
}
