//
//  FiltersChecks.swift
//  Filters
//

import CoreData
import Expect

@MainActor
public enum FiltersChecks {

    public static func run(in folder: URL) throws {
        let container = NSPersistentContainer(name: "Contacts", managedObjectModel: try model())
        let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("Contacts.sqlite"))
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in expect(error == nil) }
        let context = container.viewContext
        try fill(context)
        try queries(in: context)
        formats()
        plainObjects()
    }

    private static func model() throws -> NSManagedObjectModel {
        guard let path = Bundle.module.path(forResource: "Contacts", ofType: "momd"),
              let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return model
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        let company = Company(context: context)
        company.name = "Engines"
        company.city = "London"
        for (index, name) in ["Ada", "Bob", "Cécile", "Dora"].enumerated() {
            let contact = Contact(context: context)
            contact.name = name
            contact.age = Int32(20 + 10 * index)
            contact.isFavorite = index % 2 == 0
            contact.birthday = Date(timeIntervalSinceReferenceDate: Double(index) * 86_400)
            contact.company = index < 3 ? company : nil
        }
        try context.save()
        expect(company.contacts.count == 3)
    }

    private static func queries(in context: NSManagedObjectContext) throws {
        func names<P: TypedPredicateProtocol>(_ predicate: P) throws -> [String] where P.Root == Contact {
            let query = Query<Contact>().filter(predicate).sort(.ascending(\Contact.name))
            let found = try query.objects(in: context).compactMap(\.name)
            let all = try context.fetch(Query<Contact>().sort(.ascending(\.name)).request)
            expect(all.filter { predicate.evaluate(with: $0) }.compactMap(\.name) == found)
            return found
        }
        expect(try names(\Contact.name == "Bob") == ["Bob"])
        expect(try names(\Contact.age > 25 && \Contact.isFavorite == true) == ["Cécile"])
        expect(try names(\Contact.company?.city == "London") == ["Ada", "Bob", "Cécile"])
        expect(try names(!(\Contact.age >= 30) || \Contact.company == nil) == ["Ada", "Dora"])
        expect(try names(\Contact.name ~= "c*ile") == ["Cécile"])
        expect(try names(contains(\Contact.name, "A")) == ["Ada", "Dora"])
        expect(try names(isBetween(\Contact.age, 30...40)) == ["Bob", "Cécile"])
        expect(try names(\Contact.age === [20, 50]) == ["Ada", "Dora"])
        expect(try names(\Contact.birthday < Date(timeIntervalSinceReferenceDate: 86_400)) == ["Ada"])
        expect(try names(\Contact.company != nil) == ["Ada", "Bob", "Cécile"])

        let oldest = Query<Contact>().sort(.descending(\.age)).limit(1)
        expect(try oldest.objects(in: context).first?.firstLetter == "D")
        expect(try Query<Contact>().filter(\Contact.isFavorite == true).sum(of: \.age, in: context) == 60)
        let any = NSPredicate(\Contact.company?.name, isAnyOf: ["Engines", "Gears"])
        let request = NSFetchRequest<Contact>(entityName: "Contact")
        request.predicate = any
        expect(try context.count(for: request) == 3)
    }

    private static func formats() {
        expect((\Contact.company?.city == "London").description == "company.city == \"London\"")
        expect(NSExpression(forKeyPath: \Contact.firstLetter).keyPath == "firstLetter")
        expect((\Contact.company?.name).requiredStringValue == "company.name")
        expect((\Album.artist?.name).stringValue == "artist.name" && (\Artist.count).stringValue == "albumCount")
        expect((\Contact.name?.count).stringValue == nil)
        expect((\Contact.age > 5 && \Contact.age < 9).description == "age > 5 AND age < 9")
    }

    private static func plainObjects() {
        expect(ShelfSearch.labels(of: 1970) == ["Rock"] && ShelfSearch.labels(of: 1960) == ["Jazz"])
        let albums = [Album(title: "B", year: 2001), Album(title: "A", year: 1999, artist: Artist(name: "X"))]
        expect(albums.filter { (\Album.year < 2000).evaluate(with: $0) }.map(\.title) == ["A"])
        expect(albums.filter { (\Album.artist?.name == "X").evaluate(with: $0) }.count == 1)
        let sorted = (albums as NSArray).sortedArray(using: [NSSortDescriptor(keyPath: \Album.title, ascending: true)])
        expect((sorted as? [Album])?.map(\.title) == ["A", "B"])
        let predicate = NSPredicate(format: "%K >= %d", #keyPath(Album.decade), 2000)
        expect((albums as NSArray).filtered(using: predicate).count == 1)
        expect(albums[0].value(forKeyPath: #keyPath(Album.artist.name)) == nil)
        albums[0].setValue("C", forKey: #keyPath(Album.title))
        expect(albums[0].title == "C" && albums[1].artist?.value(forKey: "albumCount") as? Int == 0)
    }

}
