import Foundation
import OpenCocoaFoundation

/// A store in one binary file, in this framework's own format: a binary property list with the objects by entity.
final class BinaryStore: AtomicFileStore, @unchecked Sendable {  // as AtomicFileStore
  override class var kind: String { NSBinaryStoreType }

  override func open(_ type: String) throws {
    _ = try StoreOptionValue.flag(NSBinaryStoreInsecureDecodingCompatibilityOption, in: options)
    try super.open(type)
  }

  override func read(_ data: Data) throws {
    let document = try BinaryStoreDocument(data)
    try takeHead(document.metadata)
    var loader = NodeLoader(self)
    try document.readObjects(entitiesHeld, into: &loader)
    try loader.finish(checksInverses: false)
    lastReference = max(document.lastReference, loader.last)
  }

  override func contents() throws -> Data {
    let entities = nodes.keys.sorted().flatMap(nodesByEntity(below:))
    return try BinaryStoreDocument(head, lastReference: lastReference, entities: entities) {
      stored($0.objectID.key, $0.objectID.entity.layout) != nil
    }.data
  }

  /// Returns the nodes of a root entity and its subentities, grouped by entity. The groups are in the order of the entities'
  /// numbers, and the nodes in the order of their keys.
  private func nodesByEntity(below root: Int) -> [[NSAtomicStoreCacheNode]] {
    var groups: [Int: [NSAtomicStoreCacheNode]] = [:]
    for held in (nodes[root] ?? [:]).values {
      groups[held.node.objectID.entity.storeNumber, default: []].append(held.node)
    }
    return groups.keys.sorted().map { number in
      (groups[number] ?? []).sorted { $0.objectID.key < $1.objectID.key }
    }
  }

  override class func metadata(in data: Data) throws -> StoreMetadata { try BinaryStoreDocument(data).metadata }

  override class func objectCounts(in data: Data) throws -> [String: Int] {
    try BinaryStoreDocument(data).objectCounts
  }

  override class func replace(_ metadata: StoreMetadata, in data: Data) throws -> Data {
    var document = try BinaryStoreDocument(data)
    try document.set(metadata)
    return document.data
  }
}
