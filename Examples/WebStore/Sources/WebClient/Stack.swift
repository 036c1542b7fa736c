import CoreData
import Foundation
import WebStore

/// A coordinator with one store, which is a file or a service: nothing else in this program knows which.
struct Stack {
  let coordinator: NSPersistentStoreCoordinator

  /// - Parameters:
  ///   - place: the URL of a file, or of a service by http or https.
  ///   - options: options of web stores; a file has no use for them.
  init(_ place: URL, options: [String: any Sendable] = [:]) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: Model.books)
    if place.isFileURL {
      try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: place)
    } else {
      WebIncrementalStore.register()
      try coordinator.addPersistentStore(
        ofType: WebIncrementalStore.type, configurationName: nil, at: place, options: options)
    }
  }

  /// The store if it is a service's.
  var web: WebIncrementalStore? { coordinator.persistentStores.first as? WebIncrementalStore }

  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  func close() throws { for store in coordinator.persistentStores { try coordinator.remove(store) } }

  /// What a file was asked in statements, and a service in requests.
  var cost: Report.Cost {
    if let traffic = web?.traffic { return Report.Cost(questions: traffic.requests, rows: traffic.rows) }
    let counters = CoreDataInstruments.counters
    return Report.Cost(questions: counters.statements, rows: counters.rowsRead)
  }
}
