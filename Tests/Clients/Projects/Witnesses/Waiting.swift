//
//  Waiting.swift
//  Witnesses
//

import CoreData

extension NSManagedObjectContext {

    /// For systems before iOS 15.
    @_disfavoredOverload
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        return try waitFor(block) { throw $0 }
    }

    /// Hands the context to a block on its queue.
    public func run<T>(_ block: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
        return try await perform { try block(self) }
    }

    private func waitFor<T>(_ block: () throws -> T, rescue: (Error) throws -> T) rethrows -> T {
        var result: Result<T, Error>?
        performAndWait { () -> Void in
            result = Result { try block() }
        }
        switch result! {
        case .success(let value): return value
        case .failure(let error): return try rescue(error)
        }
    }

}

public protocol Running {
    func run<T>(_ block: @escaping (NSManagedObjectContext) throws -> T) async throws -> T
}

extension NSManagedObjectContext: Running {}

public struct Counter {

    let context: NSManagedObjectContext

    func count<T>(of type: T.Type, _ found: @escaping (Int) -> String) async throws -> String {
        return try await context.run { context in
            found(try context.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: String(describing: type))))
        }
    }

}
