import CoreData
import ExampleSupport

/// Fetches all sightings of a batch with one statement, in the order of the sorted records, and walks through both. No object
/// of a batch stays in memory.
struct MergingImporter: Importer {
  let container: NSPersistentContainer
  var batchSize = 1000

  static func take(_ records: [SightingRecord], in context: NSManagedObjectContext) throws -> Imported {
    // Identifiers are ASCII, so that Swift and SQLite sort them alike.
    let records = records.sorted { $0.identifier < $1.identifier }
    let request = Sighting.fetchRequest()
    request.predicate = NSPredicate(format: "identifier IN %@", records.map(\.identifier))
    request.sortDescriptors = [NSSortDescriptor(key: "identifier", ascending: true)]
    request.returnsObjectsAsFaults = false
    var known = try context.fetch(request)[...]

    var imported = Imported()
    var last: Sighting?
    for record in records {
      if last?.identifier == record.identifier {
        // The file contains the record twice.
        imported.found += 1
      } else if known.first?.identifier == record.identifier {
        last = known.removeFirst()
        imported.found += 1
      } else {
        last = Sighting(context: context)
        imported.created += 1
      }
      last?.take(record)
    }
    imported.mostObjects = context.registeredObjects.count
    try context.save()
    context.reset()
    return imported
  }
}
