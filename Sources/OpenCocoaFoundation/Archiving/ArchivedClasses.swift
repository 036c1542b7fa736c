import Foundation

/// The classes that archives of predicates, expressions and sort descriptors name.
///
/// A coder of another kind than Foundation's asks `readers` for the class that an archived object is made by, and an
/// object's `classForKeyedArchiver`, with its superclasses, for the names to write.
package enum ArchivedClasses {
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
    ("NSFetchRequestExpression", "NSExpression"),
    ("NSDecimalNumberPlaceholder", "NSDecimalNumber"),
  ]

  /// The classes that bear these names for an archiver, as far as such classes can be made.
  private static let named: [String: AnyClass] = {
    // Foundation has classes of these names, if only without content.
    var classes: [String: AnyClass] = [:]
    for name in ["NSObject", "NSPredicate", "NSComparisonPredicate", "NSExpression", "NSDecimalNumber"] {
      classes[name] = NSClassFromString(name)
    }
    for (name, superclass) in lineage {
      classes[name] = classes[superclass].flatMap { NamedClass.make(name, superclass: $0) }
    }
    return classes
  }()

  /// A class whose name and superclasses an archiver is to write; nil where there is none.
  static func named(_ name: String) -> AnyClass? {
    named[name]
  }

  /// The class that reads what was archived under each name.
  package static let readers: [String: AnyClass] = {
    var readers: [String: AnyClass] = [
      "NSComparisonPredicate": NSComparisonPredicate.self, "NSCompoundPredicate": NSCompoundPredicate.self,
      "NSTruePredicate": TruePredicate.self, "NSFalsePredicate": FalsePredicate.self,
      "NSExpression": NSExpression.self,
    ]
    for (name, _) in lineage where readers[name] == nil && !name.hasPrefix("NSDecimal") {
      readers[name] = name.hasSuffix("Operator") ? PredicateOperator.self : NSExpression.self
    }
    readers["NSKeyPathSpecifierExpression"] = KeyPathSpecifier.self
    readers["NSFetchRequestExpression"] = NSFetchRequestExpression.self
    // What is archived where no class with Apple's name can be made.
    let own: [AnyClass] = [
      NSExpression.self, KeyPathSpecifier.self, PredicateOperator.self, TruePredicate.self, FalsePredicate.self,
      NSFetchRequestExpression.self,
    ]
    own.forEach { readers[NSStringFromClass($0)] = $0 }
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
