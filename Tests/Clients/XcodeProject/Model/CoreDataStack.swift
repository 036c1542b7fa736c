import CoreData

public final class CoreDataStack {

    public let container: NSPersistentContainer

    public init(url: URL) {
        container = NSPersistentContainer(name: "People")
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(FileProtectionType.complete as NSObject, forKey: NSPersistentStoreFileProtectionKey)
        description.setOption(false as NSNumber, forKey: NSReadOnlyPersistentStoreOption)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error = error as NSError? {
                fatalError("Unresolved error \(error), \(error.userInfo)")
            }
        }
    }

}
