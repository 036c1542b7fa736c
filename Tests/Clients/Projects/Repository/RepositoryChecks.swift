//
//  RepositoryChecks.swift
//  Repository
//

import CoreData
import Expect

@MainActor
public enum RepositoryChecks {

    public static func run(in folder: URL) throws {
        guard let model = NSManagedObjectModel.mergedModel(from: [Bundle.module]) else { return expect(false) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: folder.appendingPathComponent("Library.sqlite"),
            options: [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
        )
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator

        try objects(in: context)
        try requests(in: context)
        try deletion(in: context)
    }

    private static func objects(in context: NSManagedObjectContext) throws {
        let books = Repository(BookMO.self, key: BookKey.self, context: context)
        let writer = Writer(name: "Ada Byron", context: context)
        let first = books.make()
        books.update([KeyValueProperty(.title, "Engines"), KeyValueProperty(.pages, 120)], of: first)
        first.writer = writer
        let novel = NovelMO(context: context)
        novel.title = "Night"
        novel.genre = "crime"
        novel.pages = 300
        writer.addToBooks(novel)
        let copy = books.duplicate(novel)
        expect(type(of: copy) == NovelMO.self && (copy as? NovelMO)?.genre == "crime" && copy.writer == nil)
        copy.title = "Noon"
        expect(first.entity.name == "Book" && first.pages == 120 && first.decoration == "“Engines”")
        expect(writer.books?.count == 2 && writer.books?.firstObject as? BookMO == first)
        try context.save()
        expect(first.decoratedURI.hasPrefix("“Engines” p"))
        expect((writer as NSManagedObject).value(forKey: "initials") as? String == "AB")
        let found = try Writer.findOrCreate(in: context, matching: NSPredicate(format: "initials == 'AB'")) { _ in
            expect(false)
        }
        expect(found === writer)
        let other = try Writer.findOrCreate(in: context, matching: NSPredicate(format: "name == %@", "Bo")) { $0.name = "Bo" }
        expect(try other.isInserted && Writer.count(in: context) == 2)
        expect(try context.fetch(Writer.sortedFetchRequest).map(\.name) == ["Ada Byron", "Bo"])
        try context.save()
    }

    private static func requests(in context: NSManagedObjectContext) throws {
        let books = Repository<BookMO, BookKey>(context: context)
        expect(try books.all(sortedBy: .pages, ascending: false).first?.pages == 300)
        expect(try books.all(sortedBy: .title).map { $0.title ?? "" } == ["Engines", "Night", "Noon"])
        expect(try books.object(where: .title, is: "Noon") is NovelMO)
        expect(try books.values(of: .pages, as: Int.self) == [120, 300])
        expect(try books.identifiers().count == 3)
        do {
            _ = try books.object(where: .title, is: "Dawn")
            expect(false)
        } catch RepositoryError.notFound {}

        let untyped: NSFetchRequest<NSFetchRequestResult> = NovelMO.fetchRequest()
        if let typed = untyped as? NSFetchRequest<NovelMO> {
            typed.predicate = NSPredicate(format: "genre = %@", "crime")
            expect(try context.fetch(typed).count == 2)
        } else {
            expect(false)
        }
        expect(untyped.predicate != nil)
        let anything: Any = NSFetchRequest<Writer>(entityName: "Writer")
        expect((anything as? NSFetchRequest<NSFetchRequestResult>)?.entityName == "Writer")
        expect(try context.fetch(untyped).allSatisfy { $0 is NovelMO })

        let names: [String] = try Repository<Writer, WriterKey>(context: context).inBackground { type, background in
            expect(background !== context)
            let writer = type.init(context: background)
            writer.name = "Cy"
            let request: NSFetchRequest<Writer> = type.fetchRequest()
            request.sortDescriptors = Writer.defaultSortDescriptors
            return try background.fetch(request).compactMap(\.name)
        }
        expect(names == ["Ada Byron", "Bo", "Cy"])
        let pages: Int32 = context.performAndWait {
            (try? books.object(where: .title, is: "Engines").pages) ?? 0
        }
        expect(pages == 120)
    }

    private static func deletion(in context: NSManagedObjectContext) throws {
        let books = Repository<BookMO, BookKey>(context: context)
        let request = books.fetchRequest()
        request.predicate = NSPredicate(format: "title == %@", "Noon")
        let noon = try context.fetch(request).first
        try books.delete(request)
        expect(noon?.managedObjectContext == nil || noon?.isDeleted == true)
        expect(try books.all(sortedBy: .title).count == 2)
        let deleted = try books.deleteAll(where: NSPredicate(format: "pages > 200"))
        expect(deleted == 1)
        expect(try books.deleteAll() == 1)
        expect(try Repository<Writer, WriterKey>(context: context).all(sortedBy: .name).count == 3)
        expect(MethodCall.call("x").description.isEmpty == false && FetchedPages(elements: [1]).elements == [1])
        expect(ModelRegistry.shared === ModelRegistry.shared && StoreOptions().isReadOnly == false)
    }

}

extension MethodCall: CustomStringConvertible {
    public var description: String { "call" }
}
