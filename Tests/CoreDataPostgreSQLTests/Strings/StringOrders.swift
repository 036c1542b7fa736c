#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation

  /// Checks the order in which a store on a server sorts words that different string orders sort differently.
  enum StringOrders {
    private static let words = [
      "a", "A", "b", "B", "ä", "Ä", "é", "e", "E", "ß", "ss", "z", "Z", "10", "9", "2", "file10", "file9", "fileé",
      "côte", "coté", "cote", "Œuvre", "oeuvre", "_x", "x_", "x", "naïve", "naive", "İ", "i", "I", "ı", "Straße",
      "strasse", "АБВ", "абв", "漢", "한", "", "a1", "a01", "a001", "1.10", "1.9", "Å", "å", "ø", "o", "l", "ł", "th",
      "þ",
    ]

    /// Returns the neighbouring words in the result of a fetch that the sort descriptor has in the opposite order.
    static func problems(
      at place: URL, _ selector: String, _ words: [String] = words, isAscending: Bool = true
    ) throws -> [String] {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StringFixture.model())
      _ = try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: place, options: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return try context.performAndWait {
        for text in words {
          NSEntityDescription.insertNewObject(forEntityName: "Word", into: context).setValue(text, forKey: "text")
        }
        try context.save()
        let descriptor = NSSortDescriptor(key: "text", ascending: isAscending, selector: Selector(selector))
        let request = NSFetchRequest<NSManagedObject>(entityName: "Word")
        request.sortDescriptors = [descriptor]
        let found = try context.fetch(request)
        var problems: [String] = found.count == words.count ? [] : ["\(found.count) of \(words.count) words"]
        for (first, second) in zip(found, found.dropFirst())
        where descriptor.compare(first, to: second) == .orderedDescending {
          problems.append("\(first.value(forKey: "text") ?? "") before \(second.value(forKey: "text") ?? "")")
        }
        return problems + (try distinctProblems(found, descriptor, context))
      }
    }

    /// Fetches distinct words in the order of the descriptor, as dictionaries, and returns a problem if their number is wrong.
    private static func distinctProblems(
      _ sorted: [NSManagedObject], _ descriptor: NSSortDescriptor, _ context: NSManagedObjectContext
    ) throws -> [String] {
      let request = NSFetchRequest<NSDictionary>(entityName: "Word")
      request.sortDescriptors = [descriptor]
      (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, ["text"])
      request.returnsDistinctResults = true
      let found = try context.fetch(request).compactMap { $0["text"] as? String }
      let texts = Set(sorted.compactMap { ($0.value(forKey: "text") as? String).map { Array($0.utf8) } })
      return found.count == texts.count ? [] : ["\(found.count) different words and not \(texts.count)"]
    }
  }
#endif
