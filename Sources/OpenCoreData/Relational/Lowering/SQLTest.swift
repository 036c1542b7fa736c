import OpenCocoaFoundation

import class OpenCocoaFoundation.NSComparisonPredicate

/// A comparison's operator and options, without its operands.
package struct SQLTest {
  package var type: NSComparisonPredicate.Operator
  package var options: SQLStringOptions
  /// Whether the whole predicate fails when the comparison does.
  package var isRequired: Bool
  /// Whether the test is one of membership: a missing value is a member of nothing, so it does not even equal nil.
  package var isMembership = false

  package init(_ comparison: NSComparisonPredicate, isRequired: Bool) {
    type = comparison.predicateOperatorType
    self.isRequired = isRequired
    // The option [n] says that the strings can be compared without folding.
    let isNormalized = comparison.options.contains(.normalized)
    options = isNormalized ? [] : SQLStringOptions(rawValue: Int(comparison.options.rawValue))
  }

  private init(type: NSComparisonPredicate.Operator, options: SQLStringOptions, isRequired: Bool, isMembership: Bool) {
    self.type = type
    self.options = options
    self.isRequired = isRequired
    self.isMembership = isMembership
  }

  /// The test whether a value is one of a set's elements.
  package static let membership = SQLTest(type: .in, options: [], isRequired: false, isMembership: true)

  /// The test for a member of a collection, in a select of its own.
  package var nested: SQLTest {
    var test = self
    test.isRequired = false
    return test
  }

  /// The test whether a value is the member.
  package var membership: SQLTest {
    var test = nested
    test.type = .equalTo
    test.isMembership = true
    return test
  }

  /// The test with its sides exchanged, for an operator that compares two values.
  package var flipped: SQLTest {
    var test = self
    switch type {
    case .lessThan: test.type = .greaterThan
    case .lessThanOrEqualTo: test.type = .greaterThanOrEqualTo
    case .greaterThan: test.type = .lessThan
    case .greaterThanOrEqualTo: test.type = .lessThanOrEqualTo
    default: break
    }
    return test
  }

  /// The SQL of an operator that compares two values; nil for any other operator.
  package var comparison: SQLComparison? {
    switch type {
    case .equalTo: .equal
    case .notEqualTo: .notEqual
    case .lessThan: .less
    case .lessThanOrEqualTo: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqualTo: .greaterOrEqual
    case .beginsWith, .endsWith, .like, .matches, .in, .contains, .between, .customSelector: nil
    }
  }
}
