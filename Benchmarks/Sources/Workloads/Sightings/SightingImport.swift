import CoreData

/// An import that finds what is there and creates the rest, 1,000 at a time, each batch one fetch and one save.
struct SightingImport {
  private(set) var created = 0
  private(set) var found = 0

  /// Imports into a context that is empty before and after.
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

  // With their values, as an import that goes on to update them needs.
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
