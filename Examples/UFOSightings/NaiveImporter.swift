import CoreData
import ExampleSupport

/// Looks for the sighting of each record in the store, with one statement per record.
struct NaiveImporter: Importer {
  let container: NSPersistentContainer
  var batchSize = 1000

  static func take(_ records: [SightingRecord], in context: NSManagedObjectContext) throws -> Imported {
    var imported = Imported()
    for record in records {
      let request = Sighting.fetchRequest()
      request.predicate = NSPredicate(format: "identifier == %@", record.identifier)
      request.fetchLimit = 1
      if let known = try context.fetch(request).first {
        known.take(record)
        imported.found += 1
      } else {
        Sighting(context: context).take(record)
        imported.created += 1
      }
    }
    imported.mostObjects = context.registeredObjects.count
    try context.save()
    return imported
  }
}
