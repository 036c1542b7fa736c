import Foundation

/// The classes that archives of predicates, expressions and sort descriptors name.
///
/// A coder other than Foundation's looks up in `readers` the class that decodes an archived object. When it encodes an
/// object, it takes the names to write from the object's `classForKeyedArchiver` and the superclasses of that class.
package enum ArchivedClasses {
  /// The classes that Foundation on this platform lacks or has only as empty stubs, with their superclasses. A superclass
  /// comes before its subclasses.
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

  /// The classes that an archiver writes under these names, by name. A class that cannot be made is left out.
  private static let named: [String: AnyClass] = {
    // If Foundation is linked into the program, some of Foundation's own stubs are not found by name.
    var classes: [String: AnyClass] = [
      "NSObject": NSObject.self, "NSPredicate": NSPredicate.self, "NSDecimalNumber": NSDecimalNumber.self,
    ]
    for (name, superclass) in lineage {
      classes[name] = classes[superclass].flatMap { NamedClass.make(name, superclass: $0) }
    }
    return classes
  }()

  /// Returns the class whose name and superclasses an archiver is to write; nil if there is no such class.
  package static func named(_ name: String) -> AnyClass? {
    named[name]
  }

  /// The class that decodes archived objects of each class name.
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
    // If no class with Apple's name can be made, objects are archived under the names of these classes.
    let own: [AnyClass] = [
      NSExpression.self, KeyPathSpecifier.self, PredicateOperator.self, TruePredicate.self, FalsePredicate.self,
      NSFetchRequestExpression.self,
    ]
    // NSStringFromClass cannot be used: if Foundation is linked into the program, the function does not work yet while the
    // program is loaded.
    own.forEach { readers[String(reflecting: $0)] = $0 }
    return readers
  }()
}
