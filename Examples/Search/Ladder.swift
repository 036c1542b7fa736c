import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// The comparisons of texts, from the one that an index serves best to the one that costs most.
enum Comparison: String, CaseIterable, Codable {
  case beginsWith = "BEGINSWITH"
  case equal = "=="
  case endsWith = "ENDSWITH"
  case contains = "CONTAINS"
  case matches = "MATCHES"

  /// The part of a place that is looked for: of the whole where only that can be equal.
  func part(of place: String) -> String {
    switch self {
    case .beginsWith: String(place.prefix(5))
    case .equal: place
    case .endsWith: String(place.suffix(4))
    case .contains, .matches: String(place.dropFirst(2).prefix(4))
    }
  }
}

/// How capitals and accents count.
enum Folding: String, CaseIterable, Codable {
  case none = ""
  case capitals = "[c]"
  case both = "[cd]"
}

/// The measured cost of one comparison with one folding.
struct Rung: Codable {
  var comparison: Comparison
  var folding: Folding
  /// The number of places that were found.
  var found: Int
  /// Counting in a store without an index of the place.
  var scanned: Cost
  /// Counting in a store with an index of the place.
  var indexed: Cost
  /// The indexes that serve the second request.
  var indexes: [String]
  /// Filtering an array of all sightings, which are in memory.
  var inMemory: Cost

  /// The predicate: what a user types has neither the place's capitals nor its accents where these do not count.
  static func predicate(_ comparison: Comparison, _ folding: Folding, _ place: String) -> NSPredicate {
    var part = comparison.part(of: place)
    if folding == .capitals { part = part.uppercased() }
    if folding == .both { part = part.canonical }
    let value = comparison == .matches ? ".*\(NSRegularExpression.escapedPattern(for: part)).*" : part
    return NSPredicate(format: "place \(comparison.rawValue)\(folding.rawValue) %@", value)
  }
}

/// Two stores with the same places, one of which has an index of them.
@MainActor struct Ladder {
  let folder: URL
  let count: Int

  /// Measures all comparisons, and SQLite's own two.
  ///
  /// - Throws: The errors of opening, saving and fetching.
  func climb() async throws -> (rungs: [Rung], plain: [PlainSQLite.Query]) {
    let scanned = try await fill("Scanned.sqlite", indexed: false)
    let indexed = try await fill("Indexed.sqlite", indexed: true)
    let request = Sighting.fetchRequest()
    request.returnsObjectsAsFaults = false
    let objects = try scanned.viewContext.fetch(request)
    // A place with accents and capitals.
    let place = (0..<count).lazy.map { SightingRecord(number: $0).place }.first {
      $0.count > 8 && $0.canonical != $0.lowercased()
    }
    let sought = place ?? SightingRecord(number: 0).place
    var rungs: [Rung] = []
    for comparison in Comparison.allCases {
      for folding in Folding.allCases {
        let predicate = Rung.predicate(comparison, folding, sought)
        let scan = try measure(predicate, scanned.viewContext), search = try measure(predicate, indexed.viewContext)
        let meter = Meter()
        let found = (objects as NSArray).filtered(using: predicate).count
        rungs.append(
          Rung(
            comparison: comparison, folding: folding, found: found, scanned: scan.cost, indexed: search.cost,
            indexes: search.indexes, inMemory: meter.cost))
        guard scan.found == found, search.found == found else {
          throw ToolError("\(predicate) finds \(scan.found) and \(search.found) in the stores, \(found) in memory.")
        }
      }
    }
    return (rungs, try PlainSQLite.queries(sought, in: folder.appending(path: "Indexed.sqlite")))
  }

  private func measure(
    _ predicate: NSPredicate, _ context: NSManagedObjectContext
  ) throws -> (found: Int, cost: Cost, indexes: [String]) {
    let request = Sighting.fetchRequest()
    request.predicate = predicate
    let (result, statements) = try Explanation.of(request, in: context) {
      let meter = Meter()
      return (found: try context.count(for: request), cost: meter.cost)
    }
    return (result.found, result.cost, statements.flatMap(\.indexes))
  }

  private func fill(_ name: String, indexed: Bool) async throws -> NSPersistentContainer {
    let copy = Model.search.copy()
    guard let model = copy as? NSManagedObjectModel, let entity = model.entitiesByName["Sighting"],
      let place = entity.attributesByName["place"]
    else { fatalError("The model has no places.") }
    if indexed {
      let element = NSFetchIndexElementDescription(property: place, collationType: .binary)
      entity.indexes = [NSFetchIndexDescription(name: "byPlace", elements: [element])]
    }
    let container = try await Stack.container(model, [(nil, folder.appending(path: name))])
    let insert = NSBatchInsertRequest(
      entity: entity,
      objects: (0..<count).map {
        let record = SightingRecord(number: $0)
        return ["identifier": record.identifier, "place": record.place]
      })
    try container.viewContext.execute(insert)
    return container
  }
}
