import Foundation

/// The classes that archives of predicates, expressions and sort descriptors name.
///
/// A coder of another kind than Foundation's asks `readers` for the class that an archived object is made by, and an
/// object's `classForKeyedArchiver`, with its superclasses, for the names to write.
package enum ArchivedClasses {
  /// Each class that Foundation lacks here, or has without content, and its superclass; superclasses come first.
  private static let lineage: [(name: String, superclass: String)] = [
    ("NSComparisonPredicate", "NSPredicate"), ("NSExpression", "NSObject"),
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
    ("NSPersistentStoreRequest", "NSObject"), ("NSFetchRequest", "NSPersistentStoreRequest"),
  ]

  /// The classes with the names that an archiver has to write, if such classes can be made.
  private static let named: [String: AnyClass] = {
    // Foundation's own stubs of some are not found by name in a program that it is linked into.
    var classes: [String: AnyClass] = [
      "NSObject": NSObject.self, "NSPredicate": NSPredicate.self, "NSDecimalNumber": NSDecimalNumber.self,
    ]
    for (name, superclass) in lineage {
      classes[name] = classes[superclass].flatMap { NamedClass.make(name, superclass: $0) }
    }
    return classes
  }()

  /// A class whose name and superclasses an archiver has to write; nil if there is none.
  package static func named(_ name: String) -> AnyClass? {
    named[name]
  }

  /// The class that reads the archives of each class name.
  package static let readers: [String: AnyClass] = {
    var readers: [String: AnyClass] = [
      "NSComparisonPredicate": NSComparisonPredicate.self, "NSCompoundPredicate": NSCompoundPredicate.self,
      "NSTruePredicate": TruePredicate.self, "NSFalsePredicate": FalsePredicate.self,
      "NSExpression": NSExpression.self,
    ]
    for (name, _) in lineage
    where readers[name] == nil && !name.hasPrefix("NSDecimal") && !name.hasSuffix("Request") {
      readers[name] = name.hasSuffix("Operator") ? PredicateOperator.self : NSExpression.self
    }
    readers["NSKeyPathSpecifierExpression"] = KeyPathSpecifier.self
    readers["NSFetchRequestExpression"] = NSFetchRequestExpression.self
    // The classes that archives name if no class with Apple's name can be made.
    let own: [AnyClass] = [
      NSExpression.self, KeyPathSpecifier.self, PredicateOperator.self, TruePredicate.self, FalsePredicate.self,
      NSFetchRequestExpression.self,
    ]
    // NSStringFromClass cannot be used: it does not work while a program with a statically linked Foundation is being loaded.
    own.forEach { readers[String(reflecting: $0)] = $0 }
    return readers
  }()
}
