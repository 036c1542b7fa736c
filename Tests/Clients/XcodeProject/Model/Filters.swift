import Foundation

/// Imports Foundation alone, which has the classes of predicates on Apple's platforms.
public func isNamed(_ name: String) -> NSPredicate {
    return NSCompoundPredicate(andPredicateWithSubpredicates: [
        NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "name"), rightExpression: NSExpression(forConstantValue: name),
            modifier: .direct, type: .equalTo, options: [.caseInsensitive]),
        NSPredicate(value: true)
    ])
}
