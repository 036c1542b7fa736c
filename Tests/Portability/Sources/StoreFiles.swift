import CoreData

/// Writes one store of each kind, with every kind of value, of which no byte is drawn by lot or taken from the clock.
enum StoreFiles {
  static let kinds = [
    (NSSQLiteStoreType, "Shop.sqlite"), (NSXMLStoreType, "Shop.xml"), (NSBinaryStoreType, "Shop.bin"),
  ]

  static func write(into folder: URL) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (type, name) in kinds {
      let url = folder.appendingPathComponent(name)
      let container = try container(type, url)
      let coordinator = container.persistentStoreCoordinator
      for store in coordinator.persistentStores {
        var metadata = coordinator.metadata(for: store)
        metadata[NSStoreUUIDKey] = "00000000-0000-4000-8000-000000000001"
        metadata["Purpose"] = "the same bytes on every processor"
        coordinator.setMetadata(metadata, for: store)
      }
      try fill(container.viewContext)
      for store in coordinator.persistentStores { try coordinator.remove(store) }
      try readBack(self.container(type, url).viewContext)
      print("wrote \(name), \(try Data(contentsOf: url).count) bytes")
    }
  }

  static func container(_ type: String, _ url: URL) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Shop")
    let description = NSPersistentStoreDescription(url: url)
    description.type = type
    // A write-ahead log would have salt in it.
    if type == NSSQLiteStoreType { description.setValue("DELETE" as NSString, forPragmaNamed: "journal_mode") }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    return container
  }

  private static func fill(_ context: NSManagedObjectContext) throws {
    let shelves = try ["top", "größer", "底"].map { name in
      let shelf = Shelf(context: context)
      shelf.name = name
      try context.save()
      return shelf
    }
    let tags = try (0..<5).map { number in
      let tag = Tag(context: context)
      tag.word = "tag \(number)"
      try context.save()
      return tag
    }
    for number in 0..<40 {
      let article = number % 3 == 0 ? Book(context: context) : Article(context: context)
      let factor = Double(number)
      article.title = String(repeating: "Åß😀 ", count: number) + "\(number)"
      article.added = Date(timeIntervalSinceReferenceDate: factor * 86_400.123_456_789 - 1e8)
      article.code = UUID(uuidString: "0000000\(number % 10)-1111-4222-8333-4444555566\(number + 10)")
      article.inStock = number % 2 == 0
      article.link = URL(string: "https://example.com/\(number)?q=%20")
      article.picture = Data((0..<(number * 37)).map { UInt8(truncatingIfNeeded: $0 * $0 + number) })
      article.price = Decimal(string: "\(number).\(number)05") as NSDecimalNumber?
      article.rank = Int16(number) * -811
      article.sold = Int64.max / Int64(number + 1)
      article.weight = 1 / (factor + 3) * (number % 2 == 0 ? 1e-300 : 1e300)
      article.width = Float(1 / (factor + 7))
      article.words = ["one", "zwei \(number)"]
      article.shelf = shelves[number % 3]
      article.addToTags(tags[number % 5])
      article.addToTags(tags[(number + 2) % 5])
      (article as? Book)?.pages = Int32(number) << 20
      try context.save()
    }
    let old = NSFetchRequest<Article>(entityName: "Article")
    old.predicate = NSPredicate(format: "rank < %d AND title ENDSWITH '7'", -5000)
    for article in try context.fetch(old) { context.delete(article) }
    try context.save()
  }

  private static func readBack(_ context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<Article>(entityName: "Article")
    request.sortDescriptors = [NSSortDescriptor(keyPath: \Article.added, ascending: true)]
    let articles = try context.fetch(request)
    Portability.expect(articles.count == 36 && articles.count { $0 is Book } == 13)
    Portability.expect(articles[2].words == ["one", "zwei 2"] && articles[2].tags?.count == 2)
    Portability.expect(articles[1].width == Float(1 / 8.0) && articles[1].price == NSDecimalNumber(string: "1.105"))
    Portability.expect(articles[1].shelf?.name == "größer")
  }
}
