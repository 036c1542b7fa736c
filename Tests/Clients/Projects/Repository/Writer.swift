//
//  Writer.swift
//  Repository
//

import CoreData

@objc(Writer)
public final class Writer: NSManagedObject, Managed {

    public static var defaultSortDescriptors: [NSSortDescriptor] {
        return [NSSortDescriptor(key: #keyPath(name), ascending: true)]
    }

    @objc public var initials: String {
        return (name ?? "").split(separator: " ").compactMap { $0.first.map(String.init) }.joined()
    }

    public convenience init(name: String, context: NSManagedObjectContext) {
        self.init(context: context)
        self.name = name
        self.identifier = name.lowercased()
    }

}

extension BookMO: Managed {}

extension BookMO: Decorated {

    var decoration: String { return "“\(title ?? "")”" }

}

/// A default that every object has, and some replace.
protocol Decorated where Self: NSManagedObject {
    var decoration: String { get }
}

extension Decorated {
    var decoratedURI: String { return decoration + " " + objectID.uriRepresentation().lastPathComponent }
}
