import CoreData

/// The library that examples of the documentation work on: authors, their books, and tags.
public enum Library {
  /// The model.
  public static let model: NSManagedObjectModel = {
    guard let url = Bundle.module.url(forResource: "Library", withExtension: "momd"),
      let model = NSManagedObjectModel(contentsOf: url)
    else { fatalError("Library.momd is not among the resources") }
    return model
  }()

  /// A container with four authors, ten books and two tags: in memory, or in a file; with a history, or without.
  public static func container(
    at url: URL = URL(fileURLWithPath: "/dev/null"), history: Bool = false
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: url)
    if history { description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey) }
    container.persistentStoreDescriptions = [description]
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    if let failure { throw failure }
    try fill(container.newBackgroundContext())
    // As after opening a store: nothing was read yet.
    container.persistentStoreCoordinator.emptyRowCache()
    return container
  }

  /// Where a store may be made: a file in a new folder.
  public static func newURL() -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Library-\(UUID().uuidString)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.appendingPathComponent("Library.sqlite")
  }

  /// An author, a book and a tag of a context.
  public static func samples(_ context: NSManagedObjectContext) throws -> (Author, Book, Tag) {
    let request = NSFetchRequest<Book>(entityName: "Book")
    request.predicate = NSPredicate(format: "title == %@", "Solaris")
    guard let book = try context.fetch(request).first, let author = book.author,
      let tag = try context.fetch(NSFetchRequest<Tag>(entityName: "Tag")).first
    else { fatalError("the library lacks Solaris") }
    return (author, book, tag)
  }

  /// Prints the statements that are sent from now on, as `COREDATA_SQLDEBUG=1` does on the standard error; those that begin and
  /// end transactions, and pragmas, are left out.
  public static func printStatements() {
    CoreDataInstruments.sqlDebugLevel = 1
    CoreDataInstruments.logHandler = { line in
      let words = ["SELECT", "WITH", "INSERT", "UPDATE", "DELETE"]
      if line.kind == .sql, words.contains(where: line.message.hasPrefix) { print("CoreData: sql: \(line.message)") }
    }
  }

  private static func fill(_ context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let tags = ["science fiction", "fantasy"].map { name in
        let tag = Tag(context: context)
        tag.name = name
        return tag
      }
      for (name, country, born, books) in authors {
        let author = Author(context: context)
        (author.name, author.country, author.born) = (name, country, born)
        for (title, year, pages, isRead) in books {
          let book = Book(context: context)
          (book.title, book.year, book.pages, book.isRead, book.author) = (title, year, pages, isRead, author)
          book.added = Date(timeIntervalSinceReferenceDate: Double(year) * 31_556_952)
          book.addToTags(tags[title == "A Wizard of Earthsea" ? 1 : 0])
        }
      }
      try context.save()
      context.reset()
    }
  }

  private typealias Written = (title: String, year: Int64, pages: Int64, isRead: Bool)

  private static let authors: [(name: String, country: String, born: Int64, books: [Written])] = [
    (
      "Ursula K. Le Guin", "USA", 1929,
      [
        ("A Wizard of Earthsea", 1968, 205, true), ("The Left Hand of Darkness", 1969, 304, true),
        ("The Dispossessed", 1974, 341, false),
      ]
    ),
    (
      "Stanisław Lem", "Poland", 1921,
      [("Solaris", 1961, 204, true), ("The Cyberiad", 1965, 295, false), ("Fiasco", 1986, 322, false)]
    ),
    ("Octavia E. Butler", "USA", 1947, [("Kindred", 1979, 264, true), ("Parable of the Sower", 1993, 345, false)]),
    ("Italo Calvino", "Italy", 1923, [("Cosmicomics", 1965, 153, true), ("t zero", 1967, 152, false)]),
  ]
}
