//
//  KeyPaths.swift
//  Filters
//

import Foundation

public protocol KeyPathNaming {
    var stringValue: String? { get }
}

extension AnyKeyPath: KeyPathNaming {

    /// The name by which key-value coding knows the property.
    public var stringValue: String? {
        return _kvcKeyPathString
    }

    public var requiredStringValue: String {
        guard let string = _kvcKeyPathString else {
            fatalError("\(self) is no key path of Objective-C properties")
        }
        return string
    }

}

public struct SortBy<Root> {

    let descriptor: NSSortDescriptor

    public static func ascending<Value>(_ keyPath: KeyPath<Root, Value>) -> SortBy {
        return SortBy(descriptor: NSSortDescriptor(keyPath: keyPath, ascending: true))
    }

    public static func descending<Value>(_ keyPath: KeyPath<Root, Value>) -> SortBy {
        return SortBy(descriptor: NSSortDescriptor(key: keyPath.requiredStringValue, ascending: false))
    }

}

extension NSPredicate {

    public convenience init<Root, Value>(_ keyPath: KeyPath<Root, Value>, isAnyOf values: [Value]) {
        self.init(format: "%K IN %@", NSExpression(forKeyPath: keyPath).keyPath, values)
    }

}
