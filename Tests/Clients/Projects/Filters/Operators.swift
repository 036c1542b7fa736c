//
//  Operators.swift
//  Filters
//

import Foundation

/// A predicate that knows the class of the objects that it is for.
public protocol TypedPredicateProtocol<Root>: NSPredicate {
    associatedtype Root
}

public final class ComparisonPredicate<Root>: NSComparisonPredicate, TypedPredicateProtocol {}

public final class CompoundPredicate<Root>: NSCompoundPredicate, TypedPredicateProtocol {}

extension ComparisonPredicate {

    convenience init<Value>(
        _ keyPath: KeyPath<Root, Value>,
        _ op: NSComparisonPredicate.Operator,
        _ value: Any?,
        modifier: NSComparisonPredicate.Modifier = .direct,
        options: NSComparisonPredicate.Options = []
    ) {
        self.init(
            leftExpression: NSExpression(forKeyPath: keyPath),
            rightExpression: NSExpression(forConstantValue: value),
            modifier: modifier,
            type: op,
            options: options
        )
    }

}

// MARK: - Comparisons

public func == <R, V: Equatable>(kp: KeyPath<R, V>, value: V) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .equalTo, value)
}

public func != <R, V: Equatable>(kp: KeyPath<R, V>, value: V) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .notEqualTo, value)
}

public func > <R, V: Comparable>(kp: KeyPath<R, V>, value: V) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .greaterThan, value)
}

public func >= <R, V: Comparable>(kp: KeyPath<R, V>, value: V) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .greaterThanOrEqualTo, value)
}

public func < <R, V: Comparable>(kp: KeyPath<R, V>, value: V) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .lessThan, value)
}

public func < <R, V: Comparable>(kp: KeyPath<R, V?>, value: V) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .lessThan, value)
}

public func === <R, S: Sequence>(kp: KeyPath<R, S.Element>, values: S) -> ComparisonPredicate<R> where S.Element: Equatable {
    return ComparisonPredicate(kp, .in, Array(values))
}

public func ~= <R>(kp: KeyPath<R, String?>, pattern: String) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .like, pattern, options: [.caseInsensitive, .diacriticInsensitive])
}

public func contains<R>(_ kp: KeyPath<R, String?>, _ text: String) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .contains, text, options: .caseInsensitive)
}

public func isBetween<R, V: Comparable>(_ kp: KeyPath<R, V>, _ range: ClosedRange<V>) -> ComparisonPredicate<R> {
    return ComparisonPredicate(kp, .between, [range.lowerBound, range.upperBound])
}

// MARK: - Compound predicates

public func && <TP: TypedPredicateProtocol, TP2: TypedPredicateProtocol>(p1: TP, p2: TP2) -> CompoundPredicate<TP.Root> where TP.Root == TP2.Root {
    return CompoundPredicate(type: .and, subpredicates: [p1, p2])
}

public func || <TP: TypedPredicateProtocol, TP2: TypedPredicateProtocol>(p1: TP, p2: TP2) -> CompoundPredicate<TP.Root> where TP.Root == TP2.Root {
    return CompoundPredicate(type: .or, subpredicates: [p1, p2])
}

public prefix func ! <TP: TypedPredicateProtocol>(p: TP) -> CompoundPredicate<TP.Root> {
    return CompoundPredicate(type: .not, subpredicates: [p])
}

/// What keeps its type open, for lists made while the program runs.
public func all(of predicates: [NSPredicate]) -> NSPredicate {
    return NSCompoundPredicate(andPredicateWithSubpredicates: predicates)
}
