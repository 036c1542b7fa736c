//
//  LinesStore.swift
//  Formats
//

import CoreData

/// A store of the application's own: a text file with a note in each line.
@objc(LinesStore)
final class LinesStore: NSAtomicStore, @unchecked Sendable {

    static let storeType = "LinesStore"

    private var lastReference = 0
    private let encoding: String.Encoding

    override init(persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL, options: [AnyHashable: Any]? = nil) {
        encoding = .utf8
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        metadata = LinesStore.metadata(for: url)
    }

    private static func metadata(for url: URL) -> [String: Any] {
        return [NSStoreTypeKey: storeType, NSStoreUUIDKey: url.lastPathComponent]
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        return metadata(for: url)
    }

    override var type: String { return LinesStore.storeType }

    override func load() throws {
        guard let url = url, let text = try? String(contentsOf: url, encoding: encoding) else { return }
        let entity = persistentStoreCoordinator!.managedObjectModel.entitiesByName["Note"]!
        for line in text.split(separator: "\n") {
            lastReference += 1
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: lastReference))
            node.propertyCache = ["text": String(line)]
            addCacheNodes([node])
        }
    }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = NSAtomicStoreCacheNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        node.propertyCache = ["text": managedObject.value(forKey: "text") ?? NSNull()]
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        lastReference += 1
        return lastReference
    }

    override func save() throws {
        let lines = cacheNodes().compactMap { $0.propertyCache?["text"] as? String }.sorted()
        try lines.joined(separator: "\n").write(to: url!, atomically: true, encoding: encoding)
    }

}
