import CoreData

/// An import that finds existing sightings and creates the others, 1,000 at a time: one fetch and one save per batch.
struct SightingImport {
  private(set) var created = 0
  private(set) var found = 0

  /// Imports into a context that is empty before and afterwards.
  init(_ records: [SightingRecord], into context: NSManagedObjectContext) throws {
    for start in stride(from: 0, to: records.count, by: 1000) {
      let batch = records[start..<min(start + 1000, records.count)]
      let known = try Self.known(batch, in: context)
      found += known.count
      for record in batch where known[record.uid] == nil {
        record.fill(Sighting(context: context))
        created += 1
      }
      if context.hasChanges { try context.save() }
      context.reset()
    }
  }

  // Objects are fetched with their values, because an import that also updates objects needs the values.
  private static func known(
    _ batch: ArraySlice<SightingRecord>, in context: NSManagedObjectContext
  ) throws -> [String: Sighting] {
    let request = NSFetchRequest<Sighting>(entityName: "Sighting")
    request.predicate = NSPredicate(format: "uid IN %@", argumentArray: [batch.map(\.uid)])
    request.returnsObjectsAsFaults = false
    var known: [String: Sighting] = [:]
    for sighting in try context.fetch(request) {
      if let uid = sighting.uid { known[uid] = sighting }
    }
    return known
  }
}
