import Foundation
import OpenCocoaFoundation

// Reading nodes; all of these methods run under the store's lock.
extension NSAtomicStore {
  final func add(_ node: NSAtomicStoreCacheNode) {
    let root = node.objectID.entity.layout.rootNumber
    let key = node.objectID.key
    // A node that replaces another one gets the next version, so that no cached row of the old node is used for it.
    nodes[root, default: [:]][key] = StoredNode(node: node, version: (nodes[root]?[key]?.version ?? 0) + 1)
  }

  final func stored(_ key: Int64, _ layout: EntityLayout) -> StoredNode? { nodes[layout.rootNumber]?[key] }

  final func fetchNodes(_ target: FetchTarget, wantsRows: Bool) throws -> FetchedRows {
    let found = try matching(target)
    var fetched = FetchedRows(store: self)
    fetched.keys = ContiguousArray(found.map(\.node.objectID.key))
    if target.layout.hasSubentities {
      fetched.entities = ContiguousArray(found.map { Int32(number(of: $0.node.objectID.entity)) })
    }
    if wantsRows {
      let shard = rows.shard(target.layout.rootNumber)
      fetched.rows = try makeRows(found)
      shard.put(fetched.rows)
    }
    return fetched
  }

  /// Returns the nodes that a fetch finds, in the order of its sort descriptors; without these, in the order of the keys.
  final func matching(_ target: FetchTarget) throws -> [StoredNode] {
    var found = try unordered(target).sorted { $0.node.objectID.key < $1.node.objectID.key }
    if !target.sortDescriptors.isEmpty {
      found = try SQLLoweringError.evaluating {
        try found.map(\.node).checkedSorted(by: target.sortDescriptors)
      }.compactMap {
        stored($0.objectID.key, target.layout)
      }
    }
    if target.offset > 0 { found.removeFirst(min(target.offset, found.count)) }
    if target.limit > 0, found.count > target.limit { found.removeLast(found.count - target.limit) }
    return found
  }

  /// Returns the number of nodes that a fetch finds.
  final func matchCount(_ target: FetchTarget) throws -> Int {
    let rest = max(0, try unordered(target).count - target.offset)
    return target.limit > 0 ? min(rest, target.limit) : rest
  }

  /// Returns the dictionaries of a fetch with the dictionary result type, from nodes in the order of their keys.
  final func nodeDictionaries(_ target: FetchTarget, _ query: DictionaryQuery) throws -> [[String: Any]] {
    let found = try unordered(target).sorted { $0.node.objectID.key < $1.node.objectID.key }
    return try DictionaryEvaluator(query, target).dictionaries(found.map(\.node))
  }

  private final func unordered(_ target: FetchTarget) throws -> [StoredNode] {
    // Checked even if there are no nodes: a fetch that was cancelled throws, whatever its result would be.
    try target.watch?.check()
    guard let all = nodes[target.layout.rootNumber] else { return [] }
    let entities = Set(model.entities.filter { target.includes($0.layout) }.map(\.storeNumber))
    return try FetchWatch.evaluating(target.predicate, target.watch) {
      try all.values.filter { stored in
        guard entities.contains(stored.node.objectID.entity.storeNumber),
          target.rows?.includes(stored.node.objectID.key) ?? true
        else { return false }
        try target.watch?.check()
        return try target.predicate?.holds(for: stored.node) ?? true
      }
    }
  }

  final func makeRows(_ found: [StoredNode]) throws -> ContiguousArray<Snapshot> {
    var result: ContiguousArray<Snapshot> = []
    var scratch = SnapshotScratch(slots: 64)
    let commit = latestCommit
    for stored in found {
      let identifier = stored.node.objectID
      let layout = identifier.entity.layout
      if let known = rows.shard(layout.rootNumber).get(identifier.key, at: .max), known.version == stored.version {
        result.append(known)
        continue
      }
      result.append(
        try makeRow(
          identifier.key, layout: layout, version: stored.version, commit: commit, scratch: &scratch
        ) { stored.node.value(forKey: $0.name) })
    }
    return result
  }

  final func memberKeys(_ owner: Int64, _ slot: PropertySlot, _ layout: EntityLayout) -> KeyArray {
    guard let node = stored(owner, layout)?.node else { return KeyArray.empty }
    // A deleted object whose delete rule left it in relationships is no member any more.
    let members = node.members(slot.name).map(\.objectID).filter { stored($0.key, $0.entity.layout) != nil }
    return makeKeys(members, slot, commit: latestCommit)
  }
}
