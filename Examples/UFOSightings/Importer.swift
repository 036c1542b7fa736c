import CoreData
import ExampleSupport

/// Stores one sighting for each record: the known sighting with the record's identifier if there is one, otherwise a new one.
protocol Importer: Sendable {
  var container: NSPersistentContainer { get }
  /// The number of records that are read and saved together.
  var batchSize: Int { get }

  /// Finds or creates the sightings of some records in the context whose queue the caller is on, and saves.
  ///
  /// - Throws: The errors of fetching and saving.
  static func take(_ records: [SightingRecord], in context: NSManagedObjectContext) throws -> Imported
}

/// The progress of an import.
struct Imported: Codable, Sendable {
  var created = 0
  var found = 0
  /// The largest number of objects in the context.
  var mostObjects = 0

  static func += (sum: inout Imported, more: Imported) {
    sum.created += more.created
    sum.found += more.found
    sum.mostObjects = max(sum.mostObjects, more.mostObjects)
  }
}

extension Importer {
  /// Imports a file in a background context.
  ///
  /// - Parameter each: Called after each batch with the number of records so far.
  /// - Throws: The errors of reading the file, fetching and saving.
  @MainActor func run(_ file: SightingFile, each: (Int) -> Void) async throws -> Imported {
    let context = container.newBackgroundContext()
    context.undoManager = nil
    var batches = try file.batches(of: batchSize)
    var sum = Imported()
    while let records = try batches.next() {
      sum += try await context.perform { try Self.take(records, in: context) }
      each(sum.created + sum.found)
    }
    return sum
  }
}
