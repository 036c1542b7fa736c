import Foundation
import OpenCocoaFoundation

/// The limits of an attribute. An archive holds each limit as a validation predicate, with an error code as its
/// warning.
enum ArchivedLimits {
  /// Reads the limits of an archived attribute. A predicate that is not a limit, or that is a second limit of the same
  /// kind, becomes a validation predicate of the attribute itself.
  static func read(
    _ property: ArchivedObject, into attribute: NSPropertyDescription, _ embedded: EmbeddedArchives
  ) throws {
    let archive = property.archive
    var limits = AttributeLimits()
    for (predicate, warning) in zip(
      property.elements("NSValidationPredicates"), property.elements("NSValidationWarnings"))
    {
      if attribute is NSAttributeDescription,
        take(archive.object(predicate.uidValue), archive.resolve(warning), &limits)
      {
        continue
      }
      guard let predicate = try embedded.object(predicate, of: NSPredicate.self) else { continue }
      attribute.storedValidationPredicates.append(predicate)
      attribute.storedValidationWarnings.append(archive.value(warning) ?? "")
    }
    (attribute as? NSAttributeDescription)?.limits = limits
  }

  /// Sets a limit if a predicate and its warning are a limit that is not set yet; returns whether they are.
  private static func take(
    _ predicate: ArchivedObject?, _ warning: PropertyListValue?, _ limits: inout AttributeLimits
  ) -> Bool {
    guard let predicate, case .integer(let number)? = warning,
      let violation = AttributeLimits.Violation(rawValue: Int(clamping: number)),
      let comparison = predicate.object("NSPredicateOperator"),
      comparison.integer("NSOperatorType") == Int(violation.comparison.rawValue),
      comparison.integer("NSModifier") == 0, comparison.integer("NSOptions") == 0, comparison.integer("NSFlags") == 0,
      let left = predicate.object("NSLeftExpression"), isSubject(left, ofLength: violation.isOfLength),
      let constant = predicate.object("NSRightExpression"), constant.className == "NSConstantValueExpression"
    else { return false }
    let value = constant.archive.value(constant.fields["NSConstantValue"])
    switch violation {
    case .numberTooLarge, .stringTooLong: return set(&limits.maximum, decimal(value))
    case .numberTooSmall, .stringTooShort: return set(&limits.minimum, decimal(value))
    case .dateTooLate: return set(&limits.latest, value as? Date)
    case .dateTooSoon: return set(&limits.earliest, value as? Date)
    case .stringPatternMatching: return set(&limits.pattern, value as? String)
    }
  }

  private static func set<Value>(_ limit: inout Value?, _ value: Value?) -> Bool {
    guard limit == nil, let value else { return false }
    limit = value
    return true
  }

  private static func decimal(_ value: Any?) -> Decimal? {
    // Decimal has no infinity: the conversion of an infinite number would stop the program.
    guard let number = value as? NSNumber, number.doubleValue.isFinite else { return nil }
    return number.exactDecimal
  }

  private static func isSubject(_ expression: ArchivedObject, ofLength: Bool) -> Bool {
    guard ofLength else { return expression.className == "NSSelfExpression" }
    guard expression.className == "NSKeyPathExpression", expression.object("NSOperand")?.className == "NSSelfExpression"
    else { return false }
    let arguments = expression.elements("NSArguments").map { expression.archive.object($0.uidValue) }
    return arguments.count == 1 && arguments[0]?.string("NSKeyPath") == "length"
  }

  /// Archives a limit as a predicate.
  static func add(_ limit: AttributeLimits.Limit, to writer: inout KeyedArchiveWriter) -> PropertyListValue {
    let left =
      limit.violation.isOfLength
      ? ArchivedDerivation.addKeyPath("length", to: &writer) : ArchivedDerivation.addSelf(to: &writer)
    let right = writer.add(
      ["NSConstantValueExpression", "NSExpression", "NSObject"],
      ["NSExpressionType": .integer(0), "NSConstantValue": writer.add(value: limit.value)])
    let number = PropertyListValue.integer(Int64(limit.violation.comparison.rawValue))
    var fields: [String: PropertyListValue] = ["NSModifier": .integer(0), "NSOperatorType": number]
    let comparison: PropertyListValue
    if limit.violation.comparison == .matches {
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
