//
//  ToolkitChecks.swift
//  Toolkit
//

import CoreData
import Expect

@MainActor
public enum ToolkitChecks {

    public static func run(in folder: URL) throws {
        try stores(in: folder)
        try contexts()
        try migration(in: folder)
        legacy()
    }

    private static func stores(in folder: URL) throws {
        let manager = StoreManager(model: MockContainer.zoo, storeURL: folder.appendingPathComponent("Zoo.sqlite"))
        try manager.addStore()
        expect(manager.coordinator.name == "toolkit")
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = manager.coordinator
        try fill(context)
        expect(try context.count(for: NSFetchRequest<Animal>(entityName: "Animal")) == 2)
        context.reset()
        try manager.reset()
        expect(manager.coordinator.persistentStores.count == 1)
        expect(try context.count(for: NSFetchRequest<Animal>(entityName: "Animal")) == 0)
        try fill(context)
        expect(NSClassFromString(Animal.entity().managedObjectClassName) == Animal.self)
        expect(try manager.truncateAll(in: context) == 3)
        expect(try context.fetch(Cage.fetchRequest() as NSFetchRequest<Cage>).isEmpty)
        let inMemory = try NSPersistentStoreCoordinator.inMemory(MockContainer.zoo)
        expect(inMemory.persistentStores.first?.type == NSInMemoryStoreType)
    }

    private static func fill(_ context: NSManagedObjectContext) throws {
        let cage = Cage(context: context)
        cage.number = 7
        for name in ["Ape", "Bear"] {
            let animal = Animal(context: context)
            animal.name = name
            cage.addToAnimals(animal)
        }
        try context.save()
        expect(cage.animals?.count == 2)
    }

    private static func contexts() throws {
        let container = MockContainer()
        container.loadPersistentStores { description, error in
            expect(error == nil && description.type == NSInMemoryStoreType)
        }
        expect(container.name == "Mock" && container.persistentStoreDescriptions.count == 1)
        guard let spy = container.viewContext as? SpyContext else { return expect(false) }
        try fill(container.viewContext)
        let animals = try container.viewContext.fetch(NSFetchRequest<Animal>(entityName: "Animal"))
        expect(animals.map(\.summary).sorted() == ["Ape (4)", "Bear (4)"])
        var inside = false
        container.viewContext.performAndWait { inside = true }
        container.newBackgroundContext().perform { spy.calls.append("performed") }
        expect(inside)
        container.viewContext.delete(animals[0])
        spy.nextFailure = .save
        do {
            try container.viewContext.save()
            expect(false)
        } catch SpyContext.Failure.save {}
        expect(try container.viewContext.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: "Animal")) == 1)
        container.viewContext.reset()
        let calls = spy.calls
        expect(calls == [
            "save", "fetch Animal", "performAndWait", "perform", "performed", "delete", "save", "count", "reset"
        ])
        if Expectations.shared.failures > 0 { print(calls) }
    }

    private static func migration(in folder: URL) throws {
        let versions = ModelVersion.all(in: .module, modelName: "Zoo")
        expect(versions.map(\.name) == ["Zoo", "Zoo 2", "Zoo 3"])
        let (current, hashes) = try ModelVersion.versionInfo(in: .module, modelName: "Zoo")
        expect(current == "Zoo 3" && hashes.keys.sorted() == ["Zoo", "Zoo 2", "Zoo 3"])
        for version in versions {
            expect(hashes[version.name] == version.model.entityVersionHashesByName)
        }

        let url = folder.appendingPathComponent("Old.sqlite")
        let old = NSPersistentStoreCoordinator(managedObjectModel: versions[0].model)
        let store = try old.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = old
        try context.performAndWait {
            let animal = NSEntityDescription.insertNewObject(forEntityName: "Animal", into: context)
            animal.setValue("Cow", forKey: "name")
            try context.save()
        }
        try old.remove(store)

        let migrator = Migrator(versions: versions)
        expect(try migrator.versionIndex(ofStoreAt: url) == 0)
        expect(try migrator.migrate(storeAt: url) == ["Zoo -> Zoo 2", "Zoo 2 -> Zoo 3"])
        expect(try migrator.versionIndex(ofStoreAt: url) == 2)
        let manager = StoreManager(model: MockContainer.zoo, storeURL: url)
        try manager.addStore()
        let view = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        view.persistentStoreCoordinator = manager.coordinator
        let request = NSFetchRequest<Animal>(entityName: "Animal")
        expect(try view.fetch(request).map(\.summary) == ["Cow (4)"])
    }

    private static func legacy() {
        let stores: any StoreUpgrading = LegacyStores()
        expect(Set(stores.ignoredOptionKeys).count == 5)
        expect(!stores.removesUbiquitousMetadata(from: [:]))
    }

}
