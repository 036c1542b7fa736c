//
//  Waiting.swift
//  StackKit
//

import CoreData

extension NSManagedObjectContext {

    /// What systems before iOS 15 lack.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        return try wait(fn: performAndWait, execute: block, rescue: { throw $0 })
    }

    private func wait<T>(fn: (() -> Void) -> Void, execute work: () throws -> T, rescue: (Error) throws -> T) rethrows -> T {
        var result: T?
        var error: Error?
        withoutActuallyEscaping(work) { work in
            fn {
                do { result = try work() } catch let thrown { error = thrown }
            }
        }
        if let error = error { return try rescue(error) }
        return result!
    }

}
