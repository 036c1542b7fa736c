//
//  EntryImporter.swift
//  Journal
//

import CoreData

struct EntryRecord: Decodable, Sendable {
    let title: String
    let date: Date
    let author: String
    let tags: [String]
}

/// Imports entries in a context of its own, in batches.
struct EntryImporter: Sendable {

    let stack: CoreDataStack
    var batchSize = 2

    func importEntries(from data: Data) async throws -> Int {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let records = try decoder.decode([EntryRecord].self, from: data)
        let context = stack.newBackgroundContext()
        return try await context.perform {
            var count = 0
            for start in stride(from: 0, to: records.count, by: batchSize) {
                try autoreleasepool {
                    let end = min(start + batchSize, records.count)
                    for record in records[start..<end] {
                        try insert(record, into: context)
                        count += 1
                    }
                    try context.save()
                    context.reset()
                }
            }
            return count
        }
    }

    private func insert(_ record: EntryRecord, into context: NSManagedObjectContext) throws {
        let entry = Entry(context: context)
        entry.title = record.title
        entry.date = record.date
        entry.author = try Author.named(record.author, in: context)
        for name in record.tags {
            let request = Tag.fetchRequest()
            request.predicate = NSPredicate(format: "name ==[c] %@", name)
            let tag = try context.fetch(request).first ?? Tag(context: context)
            tag.name = name
            entry.addToTags(tag)
        }
    }

    func deleteAll() throws {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Entry")
        let deletion = NSBatchDeleteRequest(fetchRequest: request)
        deletion.resultType = .resultTypeObjectIDs
        let context = stack.newBackgroundContext()
        try context.performAndWait {
            let result = try context.execute(deletion) as? NSBatchDeleteResult
            let changes: [AnyHashable: Any] = [NSDeletedObjectsKey: result?.result as? [NSManagedObjectID] ?? []]
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [stack.viewContext])
        }
    }

}
