import CoreData
import Foundation

/// An atomic store as an application would write one: a line for each object, with its entity, name, attributes and
/// relationships.
final class CSVStore: NSAtomicStore, @unchecked Sendable {
  static let type = "CSVStore"
  var removed: [String] = []
  var fails = false

  static func register() { NSPersistentStoreCoordinator.registerStoreClass(CSVStore.self, forStoreType: type) }

  override func load() throws {
    guard let url, FileManager.default.fileExists(atPath: url.path),
      let model = persistentStoreCoordinator?.managedObjectModel
    else {
      metadata = [NSStoreTypeKey: Self.type, NSStoreUUIDKey: UUID().uuidString]
      return
    }
    var lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n").filter { !$0.isEmpty }
    metadata = [NSStoreTypeKey: Self.type, NSStoreUUIDKey: lines.removeFirst()]
    var nodes: [String: NSAtomicStoreCacheNode] = [:]
    for line in lines {
      let fields = line.components(separatedBy: ",")
      guard let entity = model.entitiesByName[fields[0]] else { throw CocoaError(.fileReadCorruptFile) }
      nodes[fields[1]] = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: fields[1]))
    }
    for line in lines {
      let fields = line.components(separatedBy: ",")
      guard let node = nodes[fields[1]] else { continue }
      node.setValue(fields[1], forKey: "name")
      node.setValue(Int(fields[2]), forKey: "age")
      node.setValue(nodes[fields[3]], forKey: "boss")
      node.setValue(Set(fields[4].split(separator: " ").compactMap { nodes[String($0)] }) as NSSet, forKey: "reports")
    }
    addCacheNodes(Set(nodes.values))
  }

  override func save() throws {
    if fails { throw CocoaError(.fileWriteOutOfSpace) }
    let lines = cacheNodes().map { node in
      func name(_ node: Any?) -> String { (node as? NSAtomicStoreCacheNode)?.value(forKey: "name") as? String ?? "" }
      let reports = (node.value(forKey: "reports") as? Set<NSAtomicStoreCacheNode> ?? []).map(name).sorted()
      let age = (node.value(forKey: "age") as? Int).map(String.init) ?? ""
      return [
        node.objectID.entity.name ?? "", name(node), age, name(node.value(forKey: "boss")),
        reports.joined(separator: " "),
      ].joined(separator: ",")
    }
    let text = [metadata[NSStoreUUIDKey] as? String ?? ""] + lines.sorted()
    if let url { try text.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8) }
  }

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    managedObject.value(forKey: "name") as? String ?? ""
  }

  override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
    removed += cacheNodes.compactMap { $0.value(forKey: "name") as? String }
  }
}
