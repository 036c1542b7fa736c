import CoreData

/// Four ways to find places by the beginning of a word, regardless of case and accents. The last way is the best.
enum SightingSearch: String, CaseIterable, Codable {
  /// Compares every place, which has to be folded for each search.
  case containsFolded
  /// Compares the canonical text of every place, which was derived when the sighting was saved.
  case canonicalText
  /// Fetches the sightings that have a word with this beginning.
  case anyToken
  /// Looks for the words in an index, and then for the sightings of these words.
  case tokensFirst

  var title: String {
    switch self {
    case .containsFolded: "search: place CONTAINS[cd]"
    case .canonicalText: "search: canonicalPlace CONTAINS"
    case .anyToken: "search: ANY tokens.text BEGINSWITH"
    case .tokensFirst: "search: tokens, then sightings"
    }
  }

  /// Returns the sightings whose place has a word with this beginning. The first two ways also find the text inside of a word.
  ///
  /// - Throws: The errors of `fetch(_:)`.
  @MainActor func sightings(_ text: String, in context: NSManagedObjectContext) throws -> Set<Sighting> {
    let found = try context.fetch(request(text))
    if let sightings = found as? [Sighting] { return Set(sightings) }
    return found.reduce(into: []) { $0.formUnion(($1 as? Token)?.sightings as? Set<Sighting> ?? []) }
  }

  /// Returns the request for the sightings; for the last way, for the words, with their sightings prefetched.
  func request(_ text: String) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: self == .tokensFirst ? "Token" : "Sighting")
    let canonical = TokenIndexer.canonical(text)
    switch self {
    case .containsFolded: request.predicate = NSPredicate(format: "place CONTAINS[cd] %@", text)
    case .canonicalText: request.predicate = NSPredicate(format: "canonicalPlace CONTAINS %@", canonical)
    case .anyToken: request.predicate = NSPredicate(format: "ANY tokens.text BEGINSWITH %@", canonical)
    case .tokensFirst:
      request.predicate = NSPredicate(format: "text BEGINSWITH %@", canonical)
      request.relationshipKeyPathsForPrefetching = ["sightings"]
    }
    return request
  }
}
