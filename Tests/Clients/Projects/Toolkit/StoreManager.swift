//
//  StoreManager.swift
//  Toolkit
//

import CoreData

/// Adds the stores of a coordinator, destroys them, and adds them again.
public final class StoreManager {

    public let coordinator: NSPersistentStoreCoordinator
    public let storeURL: URL

    private var options: [AnyHashable: Any] {
        return [
            NSMigratePersistentStoresAutomaticallyOption: NSNumber(value: true),
            NSInferMappingModelAutomaticallyOption: NSNumber(value: true),
            NSSQLitePragmasOption: ["journal_mode": "WAL"],
            NSPersistentStoreFileProtectionKey: FileProtectionType.completeUntilFirstUserAuthentication
        ]
    }

    public init(model: NSManagedObjectModel, storeURL: URL) {
        self.coordinator = NSPersistentStoreCoordinator.coordinator(for: model)
        self.storeURL = storeURL
    }

    public func addStore() throws {
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: storeURL, options: options)
    }

    /// Removes the store and its files, and starts again with an empty one.
    public func reset() throws {
        for store in coordinator.persistentStores {
            guard let url = store.url else { continue }
            try coordinator.remove(store)
            try coordinator.destroyPersistentStore(at: url, ofType: store.type, options: store.options)
            for suffix in ["", "-wal", "-shm"] {
                try? FileManager.default.removeItem(atPath: url.path + suffix)
            }
        }
        try addStore()
    }

    /// Empties every table.
    public func truncateAll(in context: NSManagedObjectContext) throws -> Int {
        var count = 0
        for entity in coordinator.managedObjectModel.entities where !entity.isAbstract {
            guard let managedObjectClass = NSClassFromString(entity.managedObjectClassName) as? NSManagedObject.Type else { continue }
            let request: NSFetchRequest<NSFetchRequestResult> = managedObjectClass.fetchRequest()
            let batchRequest = NSBatchDeleteRequest(fetchRequest: request)
            batchRequest.resultType = .resultTypeCount
            let result = try context.execute(batchRequest) as? NSBatchDeleteResult
            count += result?.result as? Int ?? 0
        }
        context.reset()
        return count
    }

}

extension NSPersistentStoreCoordinator {

    static func coordinator(for model: NSManagedObjectModel) -> Self {
        let coordinator = self.init(managedObjectModel: model)
        coordinator.name = "toolkit"
        return coordinator
    }

    static func inMemory(_ model: NSManagedObjectModel) throws -> NSPersistentStoreCoordinator {
        let coordinator = self.init(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil, options: nil)
        return coordinator
    }

}

// MARK: - Options of earlier versions

protocol StoreUpgrading {
    var ignoredOptionKeys: [String] { get }
    func removesUbiquitousMetadata(from options: [AnyHashable: Any]) -> Bool
}

struct LegacyStores: StoreUpgrading {

    @available(*, deprecated)
    var ignoredOptionKeys: [String] {
        return [
            NSPersistentStoreUbiquitousContentNameKey,
            NSPersistentStoreUbiquitousContentURLKey,
            NSPersistentStoreUbiquitousPeerTokenOption,
            NSPersistentStoreRebuildFromUbiquitousContentOption,
            NSPersistentStoreUbiquitousContainerIdentifierKey
        ]
    }

    @available(*, deprecated)
    func removesUbiquitousMetadata(from options: [AnyHashable: Any]) -> Bool {
        let type = NSPersistentStoreUbiquitousTransitionType.initialImportCompleted
        return options[NSPersistentStoreRemoveUbiquitousMetadataOption] as? Bool ?? (type.rawValue == 0)
    }

    @available(*, deprecated)
    static func observeContentChanges(of coordinator: NSPersistentStoreCoordinator, using block: @escaping @Sendable (Notification) -> Void) -> NSObjectProtocol {
        return NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreDidImportUbiquitousContentChanges,
            object: coordinator,
            queue: nil,
            using: block
        )
    }

}
