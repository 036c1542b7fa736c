//
//  WitnessesChecks.swift
//  Witnesses
//

import CoreData
import Expect

@objc(Star)
final class Star: NSManagedObject {
    @NSManaged var name: String?
}

@MainActor
public enum WitnessesChecks {

    public static func run() async throws {
        let context = try makeContext()
        let spy = FetchingSpy(context: context)
        expect(try Star.all(in: spy).count == 2 && Star.all(in: context).count == 2)
        expect(spy.fetched == ["Star"])
        expect(try names(in: spy) == names(in: context))
        expect(try count(in: spy) == 2)
        try untyped(in: context)
        let waited = context.performAndWait { 5 }
        let found = try context.performAndWait { try Star.all(in: context).count }
        context.performAndWait { expect(waited + found == 7) }
        let count = try await context.run { try $0.count(for: NSFetchRequest<Star>(entityName: "Star")) }
        let text = try await Counter(context: context).count(of: Star.self) { "\($0) stars" }
        expect(count == 2 && text == "2 stars")
    }

    private static func makeContext() throws -> NSManagedObjectContext {
        let star = NSEntityDescription()
        star.name = "Star"
        star.managedObjectClassName = NSStringFromClass(Star.self)
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = true
        star.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [star]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        for text in ["Vega", "Deneb"] { Star(context: context).name = text }
        try context.save()
        return context
    }

    private static func names(in fetching: any Fetching) throws -> [String] {
        let request = ResultsProvider(entityName: "Star", as: Star.self).request
        return try fetching.fetch(request).compactMap { $0.name }
    }

    private static func count<F: Fetching>(in fetching: F) throws -> Int {
        return try fetching.performAndWait { try fetching.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: "Star")) }
    }

    /// The protocol itself as the type of the results.
    private static func untyped(in context: NSManagedObjectContext) throws {
        let provider = ResultsProvider(entityName: "Star", as: NSFetchRequestResult.self)
        let results = try context.fetch(provider.request)
        expect((results as? [Star])?.map { $0.name } == ["Deneb", "Vega"])
        let controller = provider.controller(in: context)
        try controller.performFetch()
        expect(controller.fetchedObjects?.count == 2 && controller.object(at: IndexPath(indexes: [0, 1])) is Star)
        let any: Any = results[0]
        guard let result = any as? NSFetchRequestResult else { return expect(false) }
        expect((result as? Star)?.name == "Deneb" && any is NSFetchRequestResult)
    }

}
