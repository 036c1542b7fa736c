import Foundation

/// A log of the changes that a save makes to an atomic store's nodes, so that a failed save can be undone.
final class NodeLog {
  private var places: [(root: Int, key: Int64, stored: StoredNode?)] = []
  private var values: [ObjectIdentifier: (node: NSAtomicStoreCacheNode, values: NSMutableDictionary?)] = [:]

  /// Records which node the store has now for the object of `node`.
  func keepPlace(of node: NSAtomicStoreCacheNode, _ nodes: [Int: [Int64: StoredNode]]) {
    let (root, key) = (node.objectID.entity.layout.rootNumber, node.objectID.key)
    places.append((root, key, nodes[root]?[key]))
  }

  /// Records the values of a node once. The copy is shallow, because collections among the values never change in place.
  func keepValues(of node: NSAtomicStoreCacheNode) {
    let identity = ObjectIdentifier(node)
    guard values[identity] == nil else { return }
    values[identity] = (node, node.propertyCache?.mutableCopy() as? NSMutableDictionary)
  }

  /// Undoes all recorded changes.
  func undo(_ nodes: inout [Int: [Int64: StoredNode]]) {
    for (root, key, stored) in places.reversed() { nodes[root, default: [:]][key] = stored }
    for (node, values) in values.values { node.propertyCache = values }
  }
}
