//
//  CoreDataStack.swift
//  StackKit
//

import CoreData

/// A stack for any application, which says in which bundle its model is.
public final class CoreDataStack {

    public enum StackError: Error {
        case modelNotFound(String)
    }

    public let container: NSPersistentContainer

    public init(modelName: String, bundle: Bundle = .main) throws {
        guard let url = bundle.url(forResource: modelName, withExtension: "momd"),
              let model = NSManagedObjectModel(contentsOf: url) else {
            throw StackError.modelNotFound(modelName)
        }
        container = NSPersistentContainer(name: modelName, managedObjectModel: model)
        load()
    }

    /// Merges all models that the bundles have.
    public init(name: String, bundles: [Bundle] = [Bundle.main]) throws {
        guard let model = NSManagedObjectModel.mergedModel(from: bundles) else {
            throw StackError.modelNotFound(name)
        }
        container = NSPersistentContainer(name: name, managedObjectModel: model)
        load()
    }

    private func load() {
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error = error { fatalError("\(error)") }
        }
    }

}
