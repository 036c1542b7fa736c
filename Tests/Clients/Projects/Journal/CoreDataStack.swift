//
//  CoreDataStack.swift
//  Journal
//

import CoreData

/// The application's stack. Views read from `viewContext`, everything else works in a background context.
final class CoreDataStack: @unchecked Sendable {

    static let modelName = "Journal"

    static let model: NSManagedObjectModel = {
        guard let url = Bundle.module.url(forResource: modelName, withExtension: "momd"),
              let model = NSManagedObjectModel(contentsOf: url) else {
            fatalError("Unable to load the data model \(modelName)")
        }
        return model
    }()

    let container: NSPersistentContainer

    var viewContext: NSManagedObjectContext { container.viewContext }

    /// How the first version of the application found its model.
    lazy var bundledModel: NSManagedObjectModel = {
        let bundle = Bundle(for: CoreDataStack.self)
        let modelURL = bundle.url(forResource: "Journal", withExtension: "momd")!
        return NSManagedObjectModel(contentsOf: modelURL)!
    }()

    init(storeURL: URL) throws {
        container = NSPersistentContainer(name: Self.modelName, managedObjectModel: Self.model)

        let description = NSPersistentStoreDescription(url: storeURL)
        description.shouldMigrateStoreAutomatically = true
        description.shouldInferMappingModelAutomatically = true
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]

        var loadError: Error?
        container.loadPersistentStores { _, error in
            loadError = error
        }
        if let loadError { throw loadError }

        viewContext.automaticallyMergesChangesFromParent = true
        viewContext.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        viewContext.name = "view"
        viewContext.undoManager = nil
    }

    func newBackgroundContext() -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.mergePolicy = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        context.transactionAuthor = "import"
        return context
    }

    func saveViewContext() throws {
        guard viewContext.hasChanges else { return }
        do {
            try viewContext.save()
        } catch {
            viewContext.rollback()
            throw error
        }
    }

}
