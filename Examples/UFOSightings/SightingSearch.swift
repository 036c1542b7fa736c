import CoreData

/// Three ways to find places by a word, whatever its capitals and accents.
enum SightingSearch: String, CaseIterable, Codable {
  /// Compares every place, and has to fold it each time.
  case containsFolded
  /// Compares the canonical text of every place, which was derived when the sighting was saved.
  case canonicalText
  /// Looks for the beginnings of words in an index.
  case tokens

  var title: String {
    switch self {
    case .containsFolded: "search: place CONTAINS[cd]"
    case .canonicalText: "search: canonicalPlace CONTAINS"
    case .tokens: "search: tokens BEGINSWITH"
    }
  }

  /// The request for the places that contain a text, or a word that begins so.
  func request(_ text: String) -> NSFetchRequest<Sighting> {
    let request = Sighting.fetchRequest()
    switch self {
    case .containsFolded: request.predicate = NSPredicate(format: "place CONTAINS[cd] %@", text)
    case .canonicalText:
      request.predicate = NSPredicate(format: "canonicalPlace CONTAINS %@", TokenIndexer.canonical(text))
    case .tokens:
      request.predicate = NSPredicate(format: "ANY tokens.text BEGINSWITH %@", TokenIndexer.canonical(text))
    }
    return request
  }
}
