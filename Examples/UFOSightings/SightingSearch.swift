import CoreData

/// Four ways to find places by the beginning of a word, whatever its capitals and accents. The last is the one to take.
enum SightingSearch: String, CaseIterable, Codable {
  /// Compares every place, and has to fold it each time.
  case containsFolded
  /// Compares the canonical text of every place, which was derived when the sighting was saved.
  case canonicalText
  /// Asks for the sightings that have such a word.
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

  /// The sightings whose place has a word that begins so. The first two ways find a text in the midst of a word, too.
  ///
  /// - Throws: What `fetch(_:)` throws.
  @MainActor func sightings(_ text: String, in context: NSManagedObjectContext) throws -> Set<Sighting> {
    let found = try context.fetch(request(text))
    if let sightings = found as? [Sighting] { return Set(sightings) }
    return found.reduce(into: []) { $0.formUnion(($1 as? Token)?.sightings as? Set<Sighting> ?? []) }
  }

  /// The request for the sightings or, by the last way, for the words and their sightings with them.
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
