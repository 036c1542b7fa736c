import Foundation

/// The limits of an attribute, which an archive holds as validation predicates with an error code as warning.
enum ArchivedLimits {
  /// Error codes of NSCocoaErrorDomain.
  private enum Code: Int64 {
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case stringPatternMatching = 1680
  }

  /// The numbers that archives use for comparison operators.
  private enum Comparison: Int64 {
    case lessThanOrEqualTo = 1
    case greaterThanOrEqualTo = 3
    case matches = 6
  }

  /// The limits among the validation predicates of an archived attribute. Predicates that are none are passed over.
  static func read(_ property: ArchivedObject) -> AttributeLimits {
    let archive = property.archive
    var limits = AttributeLimits()
    for (predicate, warning) in zip(
      property.elements("NSValidationPredicates"), property.elements("NSValidationWarnings"))
    {
      guard let code = archive.resolve(warning)?.integerValue.flatMap(Code.init),
        let constant = archive.object(predicate.uidValue)?.object("NSRightExpression")
      else { continue }
      let value = archive.value(constant.fields["NSConstantValue"])
      let number = (value as? NSNumber).map { ($0 as? NSDecimalNumber)?.decimalValue ?? $0.decimalValue }
      switch code {
      case .numberTooLarge, .stringTooLong: limits.maximum = number
      case .numberTooSmall, .stringTooShort: limits.minimum = number
      case .dateTooLate: limits.latest = value as? Date
      case .dateTooSoon: limits.earliest = value as? Date
      case .stringPatternMatching: limits.pattern = value as? String
      }
    }
    return limits
  }

  /// The fields that state an attribute's limits; none without limits.
  static func fields(
    of attribute: NSAttributeDescription, _ writer: inout KeyedArchiveWriter
  ) -> [String: PropertyListValue] {
    let limits = attribute.limits
    guard !limits.isEmpty else { return [:] }
    let isString = attribute.attributeType == .stringAttributeType
    var predicates: [PropertyListValue] = []
    var warnings: [PropertyListValue] = []
    func add(_ value: Any?, _ comparison: Comparison, _ code: Code) {
      guard let value else { return }
      predicates.append(predicate(value, comparison, ofLength: isString && comparison != .matches, &writer))
      warnings.append(writer.add(.integer(code.rawValue)))
    }
    add(limits.minimum.map(number), .greaterThanOrEqualTo, isString ? .stringTooShort : .numberTooSmall)
    add(limits.maximum.map(number), .lessThanOrEqualTo, isString ? .stringTooLong : .numberTooLarge)
    add(limits.earliest, .greaterThanOrEqualTo, .dateTooSoon)
    add(limits.latest, .lessThanOrEqualTo, .dateTooLate)
    add(limits.pattern, .matches, .stringPatternMatching)
    return [
      "NSValidationPredicates": writer.add(array: predicates), "NSValidationWarnings": writer.add(array: warnings),
    ]
  }

  /// A whole number as such, any other as a decimal number.
  private static func number(_ decimal: Decimal) -> NSNumber {
    let number = NSDecimalNumber(decimal: decimal)
    return Decimal(number.int64Value) == decimal ? NSNumber(value: number.int64Value) : number
  }

  private static func predicate(
    _ value: Any, _ comparison: Comparison, ofLength: Bool, _ writer: inout KeyedArchiveWriter
  ) -> PropertyListValue {
    let left =
      ofLength
      ? ArchivedDerivation.addKeyPath("length", to: &writer) : ArchivedDerivation.addSelf(to: &writer)
    let right = writer.add(
      ["NSConstantValueExpression", "NSExpression", "NSObject"],
      ["NSExpressionType": .integer(0), "NSConstantValue": writer.add(value: value)])
    var fields: [String: PropertyListValue] = [
      "NSModifier": .integer(0), "NSOperatorType": .integer(comparison.rawValue),
    ]
    let comparisonOperator: PropertyListValue
    if comparison == .matches {
      fields["NSFlags"] = .integer(0)
      comparisonOperator = writer.add(
        ["NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator", "NSObject"], fields)
    } else {
      fields["NSVariant"] = .integer(comparison.rawValue)
      fields["NSOptions"] = .integer(0)
      comparisonOperator = writer.add(["NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject"], fields)
    }
    return writer.add(
      ["NSComparisonPredicate", "NSPredicate", "NSObject"],
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": comparisonOperator])
  }
}
