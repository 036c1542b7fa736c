//
//  Fetching.swift
//  Witnesses
//

import CoreData

/// What a context can do, for tests that put something else in its place.
public protocol Fetching {
    func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T]
    func count<T: NSFetchRequestResult>(for request: NSFetchRequest<T>) throws -> Int
    func performAndWait<T>(_ block: () throws -> T) rethrows -> T
}

extension NSManagedObjectContext: Fetching {}

/// Notes what is fetched, and hands it on.
public final class FetchingSpy: Fetching {

    public private(set) var fetched: [String] = []
    private let context: NSManagedObjectContext

    public init(context: NSManagedObjectContext) {
        self.context = context
    }

    public func fetch<Result: NSFetchRequestResult>(_ request: NSFetchRequest<Result>) throws -> [Result] {
        fetched.append(request.entityName ?? "")
        return try context.fetch(request)
    }

    public func count<R>(for request: NSFetchRequest<R>) throws -> Int {
        return try context.count(for: request)
    }

    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        return try context.performAndWait(block)
    }

}

/// A list of results, as a table shows it.
public protocol ResultsProviding: AnyObject {
    associatedtype Result: NSFetchRequestResult
    var request: NSFetchRequest<Result> { get }
}

public final class ResultsProvider<Result: NSFetchRequestResult>: ResultsProviding {

    public let request: NSFetchRequest<Result>

    public init(entityName: String, as type: Result.Type) {
        request = NSFetchRequest<Result>(entityName: entityName)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    }

    public func controller(in context: NSManagedObjectContext) -> NSFetchedResultsController<Result> {
        return NSFetchedResultsController(fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
    }

}

extension NSFetchRequestResult where Self: NSManagedObject {

    static func all(in fetching: Fetching) throws -> [Self] {
        return try fetching.fetch(NSFetchRequest<Self>(entityName: String(describing: Self.self)))
    }

}
