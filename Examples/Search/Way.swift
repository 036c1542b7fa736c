import CoreData

/// The ways to find places by the beginning of a word, regardless of case and accents.
enum Way: String, CaseIterable, Codable {
  /// Compares every place, which has to be folded for each search.
  case folded
  /// Compares the canonical text of every place, which was made when the sighting was saved.
  case canonical
  /// Compares the number that is a hash of a place's words, and then the canonical text of those that are left.
  case signature
  /// Looks for the words, which are objects, in an index, and then for the sightings of these words.
  case tokens
  /// The same with the words in a second store of the same coordinator; they know the sightings by their URIs.
  case words
  /// The same with the words in a stack of their own: another coordinator, another context.
  case ownStack

  var title: String {
    switch self {
    case .folded: "place CONTAINS[cd]"
    case .canonical: "canonicalPlace CONTAINS"
    case .signature: "a hash of the words, then CONTAINS"
    case .tokens: "tokens, an entity"
    case .words: "tokens in a second store"
    case .ownStack: "tokens in a stack of their own"
    }
  }
}

extension Stack {
  /// Returns the sightings whose place has a word with this beginning, in the order of the places. The first two ways would also
  /// find the text inside of a word, if a place had it there.
  ///
  /// - Throws: The errors of fetching.
  func sightings(_ beginning: String, _ way: Way) throws -> [Sighting] {
    switch way {
    case .folded: return try fetch(NSPredicate(format: "place CONTAINS[cd] %@", beginning))
    case .canonical: return try fetch(NSPredicate(format: "canonicalPlace CONTAINS %@", beginning.canonical))
    case .signature:
      let bits = Signature.ofBeginning(beginning)
      // The number is compared first: SQLite goes from left to right.
      return try fetch(
        NSPredicate(
          format: "(signature & %lld) == %lld AND canonicalPlace CONTAINS %@", bits, bits, beginning.canonical))
    case .tokens:
      let request = Token.fetchRequest()
      request.predicate = NSPredicate(format: "text BEGINSWITH %@", beginning.canonical)
      request.relationshipKeyPathsForPrefetching = ["sightings"]
      let found = try context.fetch(request).reduce(into: Set<Sighting>()) {
        $0.formUnion($1.sightings as? Set<Sighting> ?? [])
      }
      return found.sorted {
        ($0.canonicalPlace ?? "", $0.identifier ?? "") < ($1.canonicalPlace ?? "", $1.identifier ?? "")
      }
    case .words, .ownStack:
      let words = way == .words ? context : ownContext
      return try fetch(NSPredicate(format: "SELF IN %@", try identifiers(beginning, in: words)))
    }
  }

  private func fetch(_ predicate: NSPredicate) throws -> [Sighting] {
    let request = Sighting.fetchRequest()
    request.predicate = predicate
    request.sortDescriptors = [
      NSSortDescriptor(key: "canonicalPlace", ascending: true), NSSortDescriptor(key: "identifier", ascending: true),
    ]
    return try context.fetch(request)
  }

  /// Looks for words, and returns the sightings that they name. A relationship cannot lead from one store to another, and an
  /// object ID belongs to a coordinator: the URI of an object is what two stores can have in common.
  private func identifiers(_ beginning: String, in words: NSManagedObjectContext) throws -> [NSManagedObjectID] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Hit")
    request.predicate = NSPredicate(format: "ANY words.text BEGINSWITH %@", beginning.canonical)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["uri"]
    request.returnsDistinctResults = true
    return try words.fetch(request).compactMap { $0["uri"] as? String }.compactMap { URL(string: $0) }
      .compactMap { context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0) }
  }
}
