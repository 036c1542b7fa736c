//
//  Migrator.swift
//  Toolkit
//

import CoreData

/// A version of the model, as its file in the bundle.
struct ModelVersion: Equatable {

    let name: String
    let model: NSManagedObjectModel

    /// All versions in the compiled model, in the order of their names.
    static func all(in bundle: Bundle, modelName: String) -> [ModelVersion] {
        let subdirectory = "\(modelName).momd"
        let urls = bundle.urls(forResourcesWithExtension: "mom", subdirectory: subdirectory) ?? []
        return urls.compactMap { url in
            guard let model = NSManagedObjectModel(contentsOf: url) else { return nil }
            return ModelVersion(name: url.deletingPathExtension().lastPathComponent, model: model)
        }.sorted { $0.name < $1.name }
    }

    /// The name of the current version, and each version's hashes, from the property list beside the versions.
    static func versionInfo(in bundle: Bundle, modelName: String) throws -> (current: String, hashes: [String: [String: Data]]) {
        guard let url = bundle.url(forResource: "VersionInfo", withExtension: "plist", subdirectory: "\(modelName).momd") else {
            throw CocoaError(.fileNoSuchFile)
        }
        let plist = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), options: [], format: nil)
        let info = plist as? [String: Any] ?? [:]
        let current = info["NSManagedObjectModel_CurrentVersionName"] as? String ?? ""
        let hashes = info["NSManagedObjectModel_VersionHashes"] as? [String: [String: Data]] ?? [:]
        return (current, hashes)
    }

}

/// Brings a store to the current version, one version after the other.
struct Migrator {

    enum MigrationError: Error {
        case noVersion
    }

    let versions: [ModelVersion]

    func versionIndex(ofStoreAt url: URL) throws -> Int {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url, options: nil)
        guard let index = versions.firstIndex(where: {
            $0.model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }) else {
            throw MigrationError.noVersion
        }
        return index
    }

    @discardableResult
    func migrate(storeAt url: URL) throws -> [String] {
        var steps: [String] = []
        var index = try versionIndex(ofStoreAt: url)
        while index + 1 < versions.count {
            let source = versions[index], destination = versions[index + 1]
            let mapping = try NSMappingModel.inferredMappingModel(
                forSourceModel: source.model,
                destinationModel: destination.model
            )
            let manager = NSMigrationManager(sourceModel: source.model, destinationModel: destination.model)
            let temporaryURL = url.deletingLastPathComponent().appendingPathComponent(UUID().uuidString)
            try autoreleasepool {
                try manager.migrateStore(
                    from: url, sourceType: NSSQLiteStoreType, options: nil, with: mapping,
                    toDestinationURL: temporaryURL, destinationType: NSSQLiteStoreType, destinationOptions: nil
                )
            }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination.model)
            try coordinator.replacePersistentStore(
                at: url, destinationOptions: nil, withPersistentStoreFrom: temporaryURL,
                sourceOptions: nil, ofType: NSSQLiteStoreType
            )
            try coordinator.destroyPersistentStore(at: temporaryURL, ofType: NSSQLiteStoreType, options: nil)
            steps.append("\(source.name) -> \(destination.name)")
            index += 1
        }
        return steps
    }

}
