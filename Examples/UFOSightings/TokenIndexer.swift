import CoreData

/// Assigns to each sighting the words of its place as tokens, which an index finds by their beginnings.
struct TokenIndexer {
  let container: NSPersistentContainer
  var batchSize = 1000

  /// Returns the words of a text, without capitals and accents.
  static func words(of text: String) -> Set<String> {
    Set(canonical(text).split { !$0.isLetter && !$0.isNumber }.map(String.init))
  }

  /// Returns a text without capitals and accents, as the derivation `canonical:` makes it.
  static func canonical(_ text: String) -> String {
    text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
  }

  /// - Parameter each: Called after each batch with the number of sightings so far.
  /// - Returns: The number of different tokens.
  /// - Throws: The errors of fetching and saving.
  @MainActor func run(each: (Int) -> Void) async throws -> Int {
    let context = container.newBackgroundContext()
    context.undoManager = nil
    var known = try await context.perform { try Self.tokens(in: context) }
    var done = 0
    while true {
      let (before, offset, size) = (known, done, batchSize)
      let (count, after) = try await context.perform {
        try Self.index(size, from: offset, known: before, in: context)
      }
      if count == 0 { return known.count }
      known = after
      done += count
      each(done)
    }
  }

  /// Fetches the IDs of the existing tokens, by their texts.
  private static func tokens(in context: NSManagedObjectContext) throws -> [String: NSManagedObjectID] {
    let tokens = try context.fetch(Token.fetchRequest())
    defer { context.reset() }
    return Dictionary(tokens.map { ($0.text ?? "", $0.objectID) }, uniquingKeysWith: { first, _ in first })
  }

  /// Assigns tokens to some sightings. Returns the number of these sightings, and all known tokens with the new ones.
  private static func index(
    _ size: Int, from offset: Int, known: [String: NSManagedObjectID], in context: NSManagedObjectContext
  ) throws -> (Int, [String: NSManagedObjectID]) {
    let request = Sighting.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "identifier", ascending: true)]
    request.fetchOffset = offset
    request.fetchLimit = size
    // The members that the relationship had before are needed to set it.
    request.relationshipKeyPathsForPrefetching = ["tokens"]
    let sightings = try context.fetch(request)
    var made: [String: Token] = [:]
    for sighting in sightings {
      let tokens = words(of: sighting.place ?? "").map { word -> Token in
        if let token = made[word] { return token }
        let token = known[word].flatMap { context.object(with: $0) as? Token } ?? Token(context: context)
        if known[word] == nil { token.text = word }
        made[word] = token
        return token
      }
      sighting.addToTokens(NSSet(array: tokens))
    }
    try context.save()
    let identifiers = made.mapValues(\.objectID)
    context.reset()
    return (sightings.count, known.merging(identifiers) { $1 })
  }
}
