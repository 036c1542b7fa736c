//
//  Storage.swift
//  Layers
//

internal import CoreData

/// Hides the framework from those that use the module.
public final class Storage {

    let container: NSPersistentContainer

    public init(titles: [String]) throws {
        container = NSPersistentContainer(name: "Layers", managedObjectModel: Storage.model)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error { fatalError("\(error)") }
        }
        let context = container.newBackgroundContext()
        try context.performAndWait {
            for title in titles { Task(context: context).title = title }
            try context.save()
        }
    }

    public func count() throws -> Int {
        let context = container.newBackgroundContext()
        return try context.performAndWait { try context.count(for: NSFetchRequest<NSFetchRequestResult>(entityName: "Task")) }
    }

    private static var model: NSManagedObjectModel {
        let task = NSEntityDescription()
        task.name = "Task"
        task.managedObjectClassName = NSStringFromClass(Task.self)
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        title.isOptional = true
        task.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [task]
        return model
    }

}
