import CoreData
import ExampleSupport
import Foundation

/// The orders in which a list of places can be.
enum Order: String, CaseIterable, Codable {
  /// By the bytes of the place: capitals before small letters, accents last.
  case bytes
  /// By the bytes of a text that was made for it.
  case canonical
  case caseInsensitive
  /// As a person expects it.
  case localizedStandard

  var title: String {
    switch self {
    case .bytes: "place"
    case .canonical: "canonicalPlace"
    case .caseInsensitive: "place, caseInsensitiveCompare:"
    case .localizedStandard: "place, localizedStandardCompare:"
    }
  }

  var descriptor: NSSortDescriptor {
    switch self {
    case .bytes: NSSortDescriptor(key: "place", ascending: true)
    case .canonical: NSSortDescriptor(key: "canonicalPlace", ascending: true)
    case .caseInsensitive:
      NSSortDescriptor(key: "place", ascending: true, selector: NSSelectorFromString("caseInsensitiveCompare:"))
    case .localizedStandard:
      NSSortDescriptor(key: "place", ascending: true, selector: NSSelectorFromString("localizedStandardCompare:"))
    }
  }
}

/// The cost of one order.
struct Sorting: Codable {
  var order: Order
  /// All sightings by the store, of which the first screen is read.
  var inStore: Cost
  /// All sightings in memory.
  var inMemory: Cost
  /// The first place, and how many neighbours are in another order than a person expects.
  var first: String
  var misplaced: Int

  /// Measures one order.
  ///
  /// - Throws: The errors of fetching.
  @MainActor static func measure(_ order: Order, in context: NSManagedObjectContext) throws -> Sorting {
    let request = Sighting.fetchRequest()
    request.sortDescriptors = [order.descriptor]
    request.fetchBatchSize = 20
    var meter = Meter()
    let first = try context.fetch(request).first?.place ?? ""
    let inStore = meter.cost
    let all = Sighting.fetchRequest()
    all.returnsObjectsAsFaults = false
    let objects = try context.fetch(all) as NSArray
    meter = Meter()
    let sorted = objects.sortedArray(using: [order.descriptor])
    let inMemory = meter.cost
    let places = sorted.compactMap { ($0 as? Sighting)?.place as NSString? }
    let misplaced = zip(places, places.dropFirst()).count {
      $0.localizedStandardCompare($1 as String) == .orderedDescending
    }
    return Sorting(order: order, inStore: inStore, inMemory: inMemory, first: first, misplaced: misplaced)
  }
}
