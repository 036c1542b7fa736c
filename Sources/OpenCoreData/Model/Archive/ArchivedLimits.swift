import OpenCocoaFoundation
import Foundation

/// The limits of an attribute, which an archive holds as validation predicates with an error code as warning.
enum ArchivedLimits {
  /// The limits among the validation predicates of an archived attribute. Predicates that are none are passed over.
  static func read(_ property: ArchivedObject) -> AttributeLimits {
    let archive = property.archive
    var limits = AttributeLimits()
    for (predicate, warning) in zip(
      property.elements("NSValidationPredicates"), property.elements("NSValidationWarnings"))
    {
      guard let code = archive.resolve(warning)?.integerValue.flatMap({ AttributeLimits.Violation(rawValue: Int($0)) }),
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
    let limits = attribute.limits.list(for: attribute.attributeType)
    guard !limits.isEmpty else { return [:] }
    let predicates = limits.map { predicate($0, &writer) }
    let warnings = limits.map { writer.add(.integer(Int64($0.violation.rawValue))) }
    return [
      "NSValidationPredicates": writer.add(array: predicates), "NSValidationWarnings": writer.add(array: warnings),
    ]
  }

  private static func predicate(
    _ limit: AttributeLimits.Limit, _ writer: inout KeyedArchiveWriter
  ) -> PropertyListValue {
    let left =
      limit.isOfLength
      ? ArchivedDerivation.addKeyPath("length", to: &writer) : ArchivedDerivation.addSelf(to: &writer)
    let right = writer.add(
      ["NSConstantValueExpression", "NSExpression", "NSObject"],
      ["NSExpressionType": .integer(0), "NSConstantValue": writer.add(value: limit.value)])
    let number = PropertyListValue.integer(Int64(limit.comparison.rawValue))
    var fields: [String: PropertyListValue] = ["NSModifier": .integer(0), "NSOperatorType": number]
    let comparison: PropertyListValue
    if limit.comparison == .matches {
      fields["NSFlags"] = .integer(0)
      comparison = writer.add(
        ["NSMatchingPredicateOperator", "NSStringPredicateOperator", "NSPredicateOperator", "NSObject"], fields)
    } else {
      fields["NSVariant"] = number
      fields["NSOptions"] = .integer(0)
      comparison = writer.add(["NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject"], fields)
    }
    return writer.add(
      ["NSComparisonPredicate", "NSPredicate", "NSObject"],
      ["NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": comparison])
  }
}
