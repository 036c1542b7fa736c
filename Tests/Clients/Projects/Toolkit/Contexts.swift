//
//  Contexts.swift
//  Toolkit
//

import CoreData

/// Counts what is asked of it, and fails when a test wants it to.
final class SpyContext: NSManagedObjectContext, @unchecked Sendable {

    enum Failure: Error {
        case save, fetch
    }

    var calls: [String] = []
    var nextFailure: Failure?

    override func save() throws {
        calls.append("save")
        if let failure = nextFailure, failure == .save {
            nextFailure = nil
            throw failure
        }
        try super.save()
    }

    override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
        calls.append("fetch \(request.entityName ?? "-")")
        if let failure = nextFailure, failure == .fetch {
            nextFailure = nil
            throw failure
        }
        return try super.fetch(request)
    }

    override func count(for request: NSFetchRequest<NSFetchRequestResult>) throws -> Int {
        calls.append("count")
        return try super.count(for: request)
    }

    override func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        calls.append("execute")
        return try super.execute(request)
    }

    override func perform(_ block: @escaping () -> Void) {
        calls.append("perform")
        super.performAndWait(block)
    }

    override func performAndWait(_ block: () -> Void) {
        calls.append("performAndWait")
        super.performAndWait(block)
    }

    override func reset() {
        calls.append("reset")
        super.reset()
    }

    override func delete(_ object: NSManagedObject) {
        calls.append("delete")
        super.delete(object)
    }

    override var hasChanges: Bool {
        return super.hasChanges
    }

    override func refreshAllObjects() {
        calls.append("refreshAllObjects")
        super.refreshAllObjects()
    }

}

/// A container whose parts a test replaces.
class MockContainer: NSPersistentContainer, @unchecked Sendable {

    private let spy: SpyContext
    private var descriptions: [NSPersistentStoreDescription]

    static let zoo: NSManagedObjectModel = {
        let url = Bundle.module.url(forResource: "Zoo", withExtension: "momd")
        return NSManagedObjectModel(contentsOf: url!)!
    }()

    init() {
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        descriptions = [description]
        spy = SpyContext(concurrencyType: .mainQueueConcurrencyType)
        super.init(name: "Zoo", managedObjectModel: Self.zoo)
        spy.persistentStoreCoordinator = persistentStoreCoordinator
    }

    override var viewContext: NSManagedObjectContext {
        return spy
    }

    override var name: String {
        return "Mock"
    }

    override var persistentStoreDescriptions: [NSPersistentStoreDescription] {
        get { return descriptions }
        set { descriptions = newValue }
    }

    override var managedObjectModel: NSManagedObjectModel {
        return Self.zoo
    }

    override func newBackgroundContext() -> NSManagedObjectContext {
        return spy
    }

    override class func defaultDirectoryURL() -> URL {
        return FileManager.default.temporaryDirectory
    }

}
