//
//  JournalChecks.swift
//  Journal
//

import CoreData
import Expect

@MainActor
public enum JournalChecks {

    public static func run(in folder: URL) async throws {
        let stack = try CoreDataStack(storeURL: folder.appendingPathComponent("Journal.sqlite"))
        expect(stack.bundledModel.entitiesByName.keys.sorted() == ["Author", "Entry", "Tag"])
        expect(stack.bundledModel == CoreDataStack.model)

        let saved = Task {
            for await notification in NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave) {
                guard let context = notification.object as? NSManagedObjectContext else { continue }
                if context.transactionAuthor == "import" { return true }
            }
            return false
        }
        await Task.yield()
        let importer = EntryImporter(stack: stack)
        let count = try await importer.importEntries(from: Data(sample.utf8))
        expect(count == 3)
        let notified = await saved.value
        expect(notified)

        try list(stack)
        try observing(stack)
        try validation(stack)

        try importer.deleteAll()
        expect(try stack.viewContext.count(for: Entry.fetchRequest()) == 0)
    }

    private static func list(_ stack: CoreDataStack) throws {
        let context = stack.viewContext
        let controller = EntryListController(context: context)
        try controller.performFetch()
        expect(controller.outline == ["2023: Alps", "2024: boat, Coast"])
        expect(controller.numberOfSections == 2 && controller.titleForHeader(inSection: 1) == "2024")
        expect(controller.numberOfRows(inSection: 1) == 2)

        let entries = try context.fetch(Entry.fetchRequest())
        let sorted = (entries as NSArray).sortedArray(using: [
            NSSortDescriptor(key: #keyPath(Entry.sectionTitle), ascending: false),
            NSSortDescriptor(key: #keyPath(Entry.title), ascending: true)
        ])
        expect((sorted as? [Entry])?.compactMap(\.title) == ["Coast", "boat", "Alps"])
        let filtered = entries.filter { NSPredicate(format: "sectionTitle == %@", "2023").evaluate(with: $0) }
        expect(filtered.map(\.title) == ["Alps"])
        expect(filtered[0].monthIdentifier == "2023-07")
        expect(filtered[0].value(forKey: #keyPath(Entry.tagNames)) as? [String] == ["mountain", "summer"])

        filtered[0].isPinned = true
        context.processPendingChanges()
        expect(controller.outline == ["Pinned: Alps", "2024: boat, Coast"])
        expect(controller.takeChanges() == [
            "begin", "delete section 2023 at 0", "insert section Pinned at 0", "move Alps from [0, 0] to [0, 0]", "end"
        ])
        let author = try Author.named("Ada", in: context)
        expect(author.entries?.count == 2 && author.value(forKey: "ratedCount") as? Int == 0)
        filtered[0].isPinned = false
        try stack.saveViewContext()
    }

    private static func observing(_ stack: CoreDataStack) throws {
        let context = stack.viewContext
        let monitor = ChangeMonitor(context: context)
        let entry = Entry(context: context)
        entry.title = " Desert "
        entry.date = Date(timeIntervalSince1970: 0)
        monitor.watch(entry)
        entry.date = Date(timeIntervalSince1970: 400 * 86_400)
        entry.title = "Dunes "
        entry.isPinned = true
        monitor.stopWatching()
        entry.title = "Desert "
        print(monitor.sectionTitles)
        expect(monitor.sectionTitles == ["1971", "Pinned"])
        expect(monitor.titles == [" Desert  -> Dunes "])
        expect(entry.identifier != nil && entry.monthIdentifier == "1971-02")
        entry.date = Date(timeIntervalSince1970: 0)
        expect(entry.monthIdentifier == "1970-01")
        try stack.saveViewContext()
        expect(entry.title == "Desert" && monitor.saves == 1 && monitor.insertedCount == 1)
    }

    private static func validation(_ stack: CoreDataStack) throws {
        let entry = Entry(context: stack.viewContext)
        entry.title = "Rated"
        entry.rating = 9
        do {
            try stack.viewContext.save()
            expect(false)
        } catch let error as EntryError {
            expect(error == .ratingOutOfRange(9))
        }
        entry.rating = 5
        entry.title = nil
        do {
            try stack.viewContext.save()
            expect(false)
        } catch {
            expect((error as NSError).domain == "EntryErrorDomain" && (error as NSError).code == 2)
        }
        stack.viewContext.delete(entry)
        try stack.saveViewContext()
    }

    private static let sample = """
    [
        {"title": "Alps", "date": "2023-07-01T08:00:00Z", "author": "Ada", "tags": ["summer", "mountain"]},
        {"title": "Coast", "date": "2024-08-02T09:00:00Z", "author": "Ada", "tags": ["summer"]},
        {"title": "boat", "date": "2024-05-03T10:00:00Z", "author": "Bob", "tags": []}
    ]
    """

}
