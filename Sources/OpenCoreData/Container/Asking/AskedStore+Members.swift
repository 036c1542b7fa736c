import Foundation

extension AskedStore {
  package func memberCount(of reference: InspectedReference, _ relationship: String) throws -> Int {
    try memberKeys(of: reference, relationship).keys.count
  }

  package func members(
    of reference: InspectedReference, _ relationship: String, limit: Int, offset: Int
  ) throws -> [InspectedReference] {
    let (slot, keys) = try memberKeys(of: reference, relationship)
    var wanted = keys.dropFirst(offset)
    if limit > 0 { wanted = wanted.prefix(limit) }
    guard let destination = slot.destination, !wanted.isEmpty else { return [] }
    let name = destination.name ?? ""
    guard !destination.subentities.isEmpty else { return wanted.map { InspectedReference(entity: name, key: $0) } }
    // The members are known by their keys only. The store tells which entities these keys are of.
    var query = StoreQuery(entity: name)
    query.predicate = NSPredicate(
      format: "SELF IN %@", wanted.map { NSManagedObjectID(entity: destination, store: store, key: $0) })
    let names = Dictionary(try fetch(query).map { ($0.key, $0.entity.name ?? name) }, uniquingKeysWith: { $1 })
    return wanted.map { InspectedReference(entity: names[$0] ?? name, key: $0) }
  }

  /// Returns the keys of the members, in the relationship's order if it is ordered, else sorted.
  private func memberKeys(
    of reference: InspectedReference, _ relationship: String
  ) throws -> (slot: PropertySlot, keys: [Int64]) {
    let layout = try layout(named: reference.entity)
    guard let slot = layout.toManySlots.first(where: { $0.name == relationship }) else {
      let known = layout.toManySlots.map(\.name).sorted().joined(separator: ", ")
      throw NSError(
        coreData: NSCoreDataError,
        "The entity \(layout.name) has no to-many relationship “\(relationship)”. It has \(known.isEmpty ? "none" : known)."
      )
    }
    var keys = Array(try reader.members(of: [reference.key], slot, layout)[reference.key]?.keys ?? [])
    if !slot.isOrdered { keys.sort() }
    return (slot, keys)
  }
}
