import Foundation

/// The classes that archives of predicates, expressions and sort descriptors name.
enum ArchivedClasses {
  /// Each class that Foundation lacks here, and its superclass; superclasses come first.
  private static let lineage: [(name: String, superclass: String)] = [
    ("NSTruePredicate", "NSPredicate"), ("NSFalsePredicate", "NSPredicate"),
    ("NSPredicateOperator", "NSObject"), ("NSEqualityPredicateOperator", "NSPredicateOperator"),
    ("NSComparisonPredicateOperator", "NSPredicateOperator"), ("NSInPredicateOperator", "NSPredicateOperator"),
    ("NSBetweenPredicateOperator", "NSPredicateOperator"), ("NSStringPredicateOperator", "NSPredicateOperator"),
    ("NSSubstringPredicateOperator", "NSStringPredicateOperator"),
    ("NSMatchingPredicateOperator", "NSStringPredicateOperator"),
    ("NSLikePredicateOperator", "NSMatchingPredicateOperator"),
    ("NSConstantValueExpression", "NSExpression"), ("NSSelfExpression", "NSExpression"),
    ("NSVariableExpression", "NSExpression"), ("NSFunctionExpression", "NSExpression"),
    ("NSKeyPathExpression", "NSFunctionExpression"), ("NSKeyPathSpecifierExpression", "NSExpression"),
    ("NSSymbolicExpression", "NSExpression"), ("NSAggregateExpression", "NSExpression"),
    ("NSSetExpression", "NSExpression"), ("NSSubqueryExpression", "NSExpression"),
    ("NSTernaryExpression", "NSExpression"), ("NSAnyKeyExpression", "NSExpression"),
    ("NSDecimalNumberPlaceholder", "NSDecimalNumber"),
  ]

  /// The classes that bear these names for an archiver; none if such classes cannot be made.
  private static let stand: [String: AnyClass] = lineage.reduce(into: [:]) { classes, entry in
    guard let superclass = classes[entry.superclass] ?? NSClassFromString(entry.superclass) else { return }
    classes[entry.name] = NamedClass.make(entry.name, superclass: superclass)
  }

  /// A class whose name and superclasses an archiver is to write; nil where there is none.
  static func named(_ name: String) -> AnyClass? {
    // Foundation has the classes that it declares without content, NSExpression for one.
    stand[name] ?? NSClassFromString(name)
  }

  /// The class that reads what was archived under each name.
  static let readers: [String: AnyClass] = {
    var readers: [String: AnyClass] = [
      "NSComparisonPredicate": NSComparisonPredicate.self, "NSCompoundPredicate": NSCompoundPredicate.self,
      "NSTruePredicate": TruePredicate.self, "NSFalsePredicate": FalsePredicate.self,
      "NSExpression": NSExpression.self,
    ]
    for (name, _) in lineage where readers[name] == nil && !name.hasPrefix("NSDecimal") {
      readers[name] = name.hasSuffix("Operator") ? PredicateOperator.self : NSExpression.self
    }
    readers["NSKeyPathSpecifierExpression"] = KeyPathSpecifier.self
    return readers
  }()

  /// Tells every unarchiver of the process who reads what.
  fileprivate static func register() {
    for entry in readers { NSKeyedUnarchiver.setClass(entry.value, forClassName: entry.key) }
  }
}

// An archive may be the first thing in a process that has to do with predicates, and an unarchiver looks for classes by
// name before it calls any of them. So this runs when the program is loaded.
#if objectFormat(ELF)
  @used @section(".init_array")
#elseif objectFormat(COFF)
  @used @section(".CRT$XCU")
#endif
private nonisolated let registerArchivedClasses: @convention(c) () -> Void = { ArchivedClasses.register() }
