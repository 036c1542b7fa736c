import CoreData
import Testing

/// What the model's delete rules make of the deletion of rows, worked out from SQL.
struct PlainDeletion {
  private let graph: PlainGraph
  private let entities: [Int64: NSEntityDescription]
  private var members: [String: [Int64: [PlainKey]]] = [:]
  /// The rows that go.
  private(set) var deleted: Set<PlainKey> = []
  /// The rows that stay, with the columns that may change in them.
  private(set) var touched: [PlainKey: Set<String>] = [:]

  init(_ graph: PlainGraph, _ all: [NSEntityDescription]) {
    self.graph = graph
    entities = Dictionary(all.map { (graph.numbers[$0.name!] ?? 0, $0) }, uniquingKeysWith: { $1 })
  }

  func entity(_ key: PlainKey) -> NSEntityDescription? {
    graph.tables[key.table]?[key.key]?["Z_ENT"]?.integer.flatMap { entities[$0] }
  }

  /// Adds the row and what goes with it; false, and nothing changes, where the rules forbid it or too much would go.
  mutating func delete(_ key: PlainKey, atMost limit: Int) throws -> Bool {
    var next = self
    var queue = [key], isAllowed = true
    while let key = queue.popLast(), isAllowed {
      guard next.deleted.insert(key).inserted else { continue }
      guard next.deleted.count <= deleted.count + limit, let entity = entity(key) else { return false }
      for relationship in entity.relationshipsByName.values where !relationship.isTransient {
        let related = try next.related(key, relationship, entity).filter { !next.deleted.contains($0) }
        if related.isEmpty { continue }
        switch relationship.deleteRule {
        case .cascadeDeleteRule: queue += related
        case .nullifyDeleteRule:
          for member in related { isAllowed = isAllowed && next.touch(member, relationship) }
        default: isAllowed = false
        }
      }
    }
    guard isAllowed else { return false }
    for key in next.deleted { next.touched[key] = nil }
    self = next
    return true
  }

  private mutating func related(
    _ key: PlainKey, _ relationship: NSRelationshipDescription, _ entity: NSEntityDescription
  ) throws -> [PlainKey] {
    let name = "\(entity.name!).\(relationship.name)"
    if members[name] == nil { members[name] = try graph.members(relationship, of: entity) }
    return members[name]?[key.key] ?? []
  }

  /// The member loses its way back; false if it may not.
  private mutating func touch(_ member: PlainKey, _ relationship: NSRelationshipDescription) -> Bool {
    guard let inverse = relationship.inverseRelationship else { return true }
    if !inverse.isOptional || inverse.minCount > 0 { return false }
    var columns: Set<String> = ["Z_OPT"]
    for case let derived as NSDerivedAttributeDescription in entity(member)?.properties ?? [] {
      columns.insert(graph.column(derived.name, in: derived.entity))
    }
    if !inverse.isToMany {
      let name = inverse.name.uppercased()
      columns.formUnion(["Z\(name)", "Z_FOK_\(name)"])
      columns.formUnion(entities.keys.map { "Z\($0)_\(name)" })
    }
    touched[member, default: []].formUnion(columns)
    return true
  }
}
