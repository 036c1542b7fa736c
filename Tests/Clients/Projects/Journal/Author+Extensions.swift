//
//  Author+Extensions.swift
//  Journal
//

import CoreData

@objc(Author)
public class Author: NSManagedObject {

    /// How many entries the author has rated.
    @objc dynamic var ratedCount: Int {
        return (entries as? Set<Entry> ?? []).filter { $0.rating > 0 }.count
    }

    static func named(_ name: String, in context: NSManagedObjectContext) throws -> Author {
        let request: NSFetchRequest<Author> = Author.fetchRequest()
        request.predicate = NSPredicate(format: "%K == %@", #keyPath(Author.name), name)
        request.fetchLimit = 1
        if let author = try context.fetch(request).first { return author }
        let author = Author(context: context)
        author.name = name
        return author
    }

}
