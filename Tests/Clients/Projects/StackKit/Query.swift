//
//  Query.swift
//  StackKit
//

import CoreData

// Types of the kit's own, from times before Foundation had any of these names.

/// A condition on the objects of a class.
public struct Predicate<Root: NSManagedObject> {

    let predicate: NSPredicate

    public init(_ format: String, _ arguments: Any...) {
        predicate = NSPredicate(format: format, argumentArray: arguments)
    }

}

public struct SortDescriptor {

    let key: Expression

    public init(_ key: Expression) {
        self.key = key
    }

}

/// What a query asks of each object.
public struct Expression {

    public let keyPath: String

    public init(_ keyPath: String) {
        self.keyPath = keyPath
    }

}

extension NSManagedObjectContext {

    public func objects<T>(_ predicate: Predicate<T>, by order: SortDescriptor) throws -> [T] {
        let request = NSFetchRequest<T>(entityName: T.entity().name ?? "")
        request.predicate = predicate.predicate
        request.sortDescriptors = [NSSortDescriptor(key: order.key.keyPath, ascending: true)]
        return try fetch(request)
    }

}
