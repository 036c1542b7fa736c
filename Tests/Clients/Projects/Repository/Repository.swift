//
//  Repository.swift
//  Repository
//

import CoreData

public enum RepositoryError: Error {
    case notFound
    case wrongContext
    case wrongResult
}

/// Objects of one class, by what identifies them.
public protocol ObjectRepository {

    associatedtype Object: NSManagedObject
    associatedtype Key: PropertyKey

    var context: NSManagedObjectContext { get }

}

extension ObjectRepository {

    public func make() -> Object {
        return Object(context: context)
    }

    /// Another of the same class, whatever subclass it is.
    public func duplicate(_ object: Object) -> Object {
        let copy = type(of: object).init(context: context)
        for name in object.entity.attributesByName.keys {
            copy.setValue(object.value(forKey: name), forKey: name)
        }
        return copy
    }

    public func fetchRequest() -> NSFetchRequest<Object> {
        let request = Object.fetchRequest() as! NSFetchRequest<Object>
        request.returnsObjectsAsFaults = false
        return request
    }

    public func all(sortedBy key: Key, ascending: Bool = true) throws -> [Object] {
        let request = fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: key.name, ascending: ascending)]
        return try context.fetch(request)
    }

    public func object(where key: Key, is value: CVarArg) throws -> Object {
        let request = fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", key.name, value)
        request.fetchLimit = 1
        guard let object = try context.fetch(request).first else { throw RepositoryError.notFound }
        return object
    }

    public func update(_ properties: [KeyValueProperty<Key>], of object: Object) {
        for property in properties {
            object.setValue(property.value, forKey: property.key.name)
        }
    }

    public func values<Value>(of key: Key, as type: Value.Type) throws -> [Value] {
        let request = NSFetchRequest<NSDictionary>(entityName: Object.entity().name!)
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [key.name]
        request.returnsDistinctResults = true
        request.sortDescriptors = [NSSortDescriptor(key: key.name, ascending: true)]
        return try context.fetch(request).compactMap { $0[key.name] as? Value }
    }

    @discardableResult
    public func deleteAll(where predicate: NSPredicate? = nil) throws -> Int {
        let request: NSFetchRequest<NSFetchRequestResult> = Object.fetchRequest()
        request.predicate = predicate
        let batchDelete = NSBatchDeleteRequest(fetchRequest: request)
        batchDelete.resultType = .resultTypeCount
        guard let result = try context.execute(batchDelete) as? NSBatchDeleteResult,
              let count = result.result as? Int else { throw RepositoryError.wrongResult }
        context.reset()
        return count
    }

    /// Deletes what a typed request finds, without loading it.
    public func delete(_ request: NSFetchRequest<Object>) throws {
        let untyped = request as! NSFetchRequest<NSFetchRequestResult>
        let batchDelete = NSBatchDeleteRequest(fetchRequest: untyped)
        batchDelete.resultType = .resultTypeObjectIDs
        let result = try context.execute(batchDelete) as? NSBatchDeleteResult
        let identifiers = result?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: identifiers], into: [context])
    }

    public func identifiers() throws -> [NSManagedObjectID] {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: Object.entity().name!)
        request.resultType = .managedObjectIDResultType
        return try context.fetch(request)
    }

    public func inBackground<Result>(_ work: (Self.Object.Type, NSManagedObjectContext) throws -> Result) throws -> Result {
        let background = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        background.persistentStoreCoordinator = context.persistentStoreCoordinator
        return try background.performAndWait {
            let result = try work(Object.self, background)
            if background.hasChanges { try background.save() }
            return result
        }
    }

}

public struct Repository<Object: NSManagedObject, Key: PropertyKey>: ObjectRepository {

    public let context: NSManagedObjectContext

    public init(_ type: Object.Type = Object.self, key: Key.Type = Key.self, context: NSManagedObjectContext) {
        self.context = context
    }

}
