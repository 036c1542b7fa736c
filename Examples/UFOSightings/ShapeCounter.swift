import CoreData

/// Four ways to count the sightings of each shape. The last way is the best.
enum ShapeCounter: String, CaseIterable, Codable {
  case objects
  case dictionaries
  case countPerShape
  case groupBy

  var title: String {
    switch self {
    case .objects: "count by shape: objects"
    case .dictionaries: "count by shape: dictionaries"
    case .countPerShape: "count by shape: a count for each"
    case .groupBy: "count by shape: group by"
    }
  }

  /// Returns the number of sightings of each shape.
  ///
  /// - Throws: The errors of `fetch(_:)` and `count(for:)`.
  @MainActor func counts(in context: NSManagedObjectContext) throws -> [String: Int] {
    switch self {
    case .objects: try objects(in: context)
    case .dictionaries: try dictionaries(in: context)
    case .countPerShape: try countPerShape(in: context)
    case .groupBy: try groupBy(in: context)
    }
  }

  /// Reads every sighting with all its values.
  @MainActor private func objects(in context: NSManagedObjectContext) throws -> [String: Int] {
    var counts: [String: Int] = [:]
    for sighting in try context.fetch(Sighting.fetchRequest()) { counts[sighting.shape ?? "", default: 0] += 1 }
    return counts
  }

  /// Reads only the shape of every sighting.
  @MainActor private func dictionaries(in context: NSManagedObjectContext) throws -> [String: Int] {
    let request = shapes
    var counts: [String: Int] = [:]
    for row in try context.fetch(request) { counts[row["shape"] as? String ?? "", default: 0] += 1 }
    return counts
  }

  /// Fetches the different shapes, and then counts the sightings of each shape.
  @MainActor private func countPerShape(in context: NSManagedObjectContext) throws -> [String: Int] {
    let request = shapes
    request.returnsDistinctResults = true
    var counts: [String: Int] = [:]
    for shape in try context.fetch(request).compactMap({ $0["shape"] as? String }) {
      let request = Sighting.fetchRequest()
      request.predicate = NSPredicate(format: "shape == %@", shape)
      counts[shape] = try context.count(for: request)
    }
    return counts
  }

  /// Lets the store count, with one statement that returns a row for each shape.
  @MainActor private func groupBy(in context: NSManagedObjectContext) throws -> [String: Int] {
    let count = NSExpressionDescription()
    count.name = "count"
    count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "shape")])
    count.expressionResultType = .integer64AttributeType
    let request = shapes
    request.propertiesToFetch = ["shape", count]
    request.propertiesToGroupBy = ["shape"]
    var counts: [String: Int] = [:]
    for row in try context.fetch(request) { counts[row["shape"] as? String ?? ""] = row["count"] as? Int }
    return counts
  }

  @MainActor private var shapes: NSFetchRequest<NSDictionary> {
    let request = NSFetchRequest<NSDictionary>(entityName: "Sighting")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["shape"]
    return request
  }
}
