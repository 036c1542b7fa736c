//
//  RemoteStore.swift
//  Formats
//

import CoreData

/// Where the notes of a remote store come from.
protocol NoteService: AnyObject {
    func texts() -> [String]
}

final class FixedNotes: NoteService {
    func texts() -> [String] { return ["remote"] }
}

/// A store that asks a service, and is made by tests with one of their own.
class RemoteStore: NSIncrementalStore, @unchecked Sendable {

    static let storeType = "RemoteStore"

    var service: NoteService = FixedNotes()

    init(service: NoteService, coordinator: NSPersistentStoreCoordinator, url: URL) {
        self.service = service
        super.init(persistentStoreCoordinator: coordinator, configurationName: nil, at: url, options: nil)
    }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: RemoteStore.storeType, NSStoreUUIDKey: "remote"]
    }

    override var type: String { return RemoteStore.storeType }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        guard let request = request as? NSFetchRequest<NSFetchRequestResult>, let entity = request.entity, let context = context else { return [] }
        return service.texts().indices.map { context.object(with: newObjectID(for: entity, referenceObject: NSNumber(value: $0))) }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws -> NSIncrementalStoreNode {
        let index = referenceObject(for: objectID) as! NSNumber
        return NSIncrementalStoreNode(objectID: objectID, withValues: ["text": service.texts()[index.intValue]], version: 1)
    }

}
