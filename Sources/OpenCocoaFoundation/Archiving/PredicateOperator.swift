import Foundation

/// The operator of a comparison, which is an object of its own in archives.
final class PredicateOperator: NSObject, NSSecureCoding {
  let type: NSComparisonPredicate.Operator
  let modifier: NSComparisonPredicate.Modifier
  let options: NSComparisonPredicate.Options

  init(_ predicate: NSComparisonPredicate) {
    type = predicate.predicateOperatorType
    modifier = predicate.comparisonPredicateModifier
    options = predicate.options
  }

  static var supportsSecureCoding: Bool { true }

  override var classForKeyedArchiver: AnyClass? { ArchivedClasses.named(className) ?? PredicateOperator.self }

  private var className: String {
    switch type {
    case .equalTo, .notEqualTo: "NSEqualityPredicateOperator"
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: "NSComparisonPredicateOperator"
    case .matches: "NSMatchingPredicateOperator"
    case .like: "NSLikePredicateOperator"
    case .beginsWith, .endsWith: "NSSubstringPredicateOperator"
    case .in, .contains: "NSInPredicateOperator"
    case .between: "NSBetweenPredicateOperator"
    case .customSelector: "NSCustomPredicateOperator"
    }
  }

  func encode(with coder: NSCoder) {
    coder.encode(Int(type.rawValue), forKey: "NSOperatorType")
    coder.encode(Int(modifier.rawValue), forKey: "NSModifier")
    switch type {
    case .equalTo, .notEqualTo:
      coder.encode(type == .notEqualTo, forKey: "NSNegate")
      coder.encode(Int(options.rawValue), forKey: "NSOptions")
    case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
      coder.encode(Int(type.rawValue), forKey: "NSVariant")
      coder.encode(Int(options.rawValue), forKey: "NSOptions")
    case .beginsWith, .endsWith:
      coder.encode(Int(options.rawValue), forKey: "NSFlags")
      coder.encode(type == .beginsWith ? 0 : 1, forKey: "NSPosition")
    default:
      coder.encode(Int(options.rawValue), forKey: "NSFlags")
    }
  }

  init?(coder: NSCoder) {
    let parts = coder.decoding {
      let number = coder.decodeInteger(forKey: "NSOperatorType")
      guard let type = UInt(exactly: number).flatMap(NSComparisonPredicate.Operator.init(rawValue:)),
        type != .customSelector
      else {
        throw ArchiveProblem("There is no predicate operator \(number).")
      }
      let modifier = coder.decodeInteger(forKey: "NSModifier")
      guard let modifier = UInt(exactly: modifier).flatMap(NSComparisonPredicate.Modifier.init(rawValue:)) else {
        throw ArchiveProblem("There is no modifier \(modifier) of comparisons.")
      }
      let options = coder.decodeInteger(forKey: coder.containsValue(forKey: "NSFlags") ? "NSFlags" : "NSOptions")
      // An option that is not known here would change what the predicate means.
      guard (0..<32).contains(options) else { throw ArchiveProblem("There are no comparison options \(options).") }
      return (type, modifier, NSComparisonPredicate.Options(rawValue: UInt(options)))
    }
    guard let parts else { return nil }
    (type, modifier, options) = parts
  }
}
