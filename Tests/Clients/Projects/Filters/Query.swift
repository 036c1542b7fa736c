//
//  Query.swift
//  Filters
//

import CoreData

/// A fetch, put together step by step.
public struct Query<Object: NSManagedObject> {

    private var predicates: [NSPredicate] = []
    private var sorting: [SortBy<Object>] = []
    private var limit = 0

    public init() {}

    public func filter<P: TypedPredicateProtocol>(_ predicate: P) -> Query where P.Root == Object {
        var copy = self
        copy.predicates.append(predicate)
        return copy
    }

    public func sort(_ order: SortBy<Object>...) -> Query {
        var copy = self
        copy.sorting += order
        return copy
    }

    public func limit(_ limit: Int) -> Query {
        var copy = self
        copy.limit = limit
        return copy
    }

    public var request: NSFetchRequest<Object> {
        let request = NSFetchRequest<Object>(entityName: Object.entity().name ?? String(describing: Object.self))
        request.predicate = predicates.isEmpty ? nil : all(of: predicates)
        request.sortDescriptors = sorting.map { $0.descriptor }
        request.fetchLimit = limit
        return request
    }

    public func objects(in context: NSManagedObjectContext) throws -> [Object] {
        return try context.fetch(request)
    }

    public func sum(of keyPath: KeyPath<Object, Int32>, in context: NSManagedObjectContext) throws -> Int {
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: keyPath)])
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: Object.entity().name!)
        request.predicate = predicates.isEmpty ? nil : all(of: predicates)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [sum]
        return try context.fetch(request).first?["sum"] as? Int ?? 0
    }

}
