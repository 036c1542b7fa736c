#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation
  import OpenCocoaFoundation
  import PostgreSQLTestServer
  import Testing

  import class OpenCocoaFoundation.NSExpression

  @Suite(
    "The values that strings are compared with are those of the state that is read",
    .enabled(if: PostgreSQLServer.isInstalled, "PostgreSQL is not installed"))
  struct StringStateTests {
    private func context(_ place: URL) throws -> NSManagedObjectContext {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StringFixture.model())
      _ = try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: place, options: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }

    private func add(_ texts: [String], _ context: NSManagedObjectContext) throws {
      try context.performAndWait {
        for text in texts {
          NSEntityDescription.insertNewObject(forEntityName: "Word", into: context).setValue(text, forKey: "text")
        }
        try context.save()
      }
    }

    private func count(_ predicate: NSPredicate, _ context: NSManagedObjectContext) throws -> Int {
      try context.performAndWait {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Word")
        request.predicate = predicate
        let count = try context.count(for: request)
        #expect(try context.fetch(request).count == count)
        return count
      }
    }

    @Test func whatOthersSaveIsFound() throws {
      let place = try TestPlace.new()
      let first = try context(place), second = try context(place)
      let predicate = NSPredicate(format: "text CONTAINS[cd] 'ere' OR text MATCHES 'é.*'")
      #expect(try count(predicate, first) == 0)
      try add(["Ère", "ete", "Été"], second)
      #expect(try count(predicate, first) == 1)
      try add(["été", "ÈRE"], second)
      #expect(try count(predicate, first) == 3)
      #expect(try count(predicate, second) == 3)
      #expect(try count(predicate, first) == 3)
    }

    @Test func groupsOfFunctions() throws {
      let context = try context(try TestPlace.new())
      try add(["é", "É", "a", "A", "b"], context)
      try context.performAndWait {
        let upper = NSExpressionDescription(), count = NSExpressionDescription()
        (upper.name, upper.expression) = ("upper", NSExpression(format: "uppercase(text)"))
        upper.expressionResultType = .stringAttributeType
        (count.name, count.expression) = ("count", NSExpression(format: "count(SELF)"))
        count.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Word")
        (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, [upper, count])
        request.propertiesToGroupBy = [upper]
        var found: [String: Int] = [:]
        for row in try context.fetch(request) {
          if let text = row["upper"] as? String { found[text] = (row["count"] as? NSNumber)?.intValue }
        }
        #expect(found == ["É": 2, "A": 2, "B": 1])
      }
    }

    @Test func patternsOfTheStoreAreChecked() throws {
      let context = try context(try TestPlace.new())
      try add(["(a", "x"], context)
      let error = #expect(throws: NSError.self) { try count(NSPredicate(format: "'x' MATCHES text"), context) }
      #expect(error?.code == 134060 && error?.localizedDescription.contains("(pattern (a)") == true, "\(error as Any)")
      #expect(try count(NSPredicate(format: "text == 'x'"), context) == 1)
    }

    @Test func moreThanCanBeJudged() throws {
      let place = try TestPlace.new(), context = try context(place)
      let schema = URLComponents(url: place, resolvingAgainstBaseURL: false)?.queryItems?.first?.value ?? ""
      _ = try PostgreSQLServer.shared.get().values(
        of: "INSERT INTO \"\(schema)\".\"Word\"(\"_pk\", \"_ent\", \"_opt\", \"text\") "
          + "SELECT n, 1, 1, 'é' || n FROM generate_series(1, 100001) n")
      let error = #expect(throws: (any Error).self) {
        try count(NSPredicate(format: "text ==[c] 'É5'"), context)
      }
      let message = error?.localizedDescription ?? ""
      #expect(message.contains("canonical:(text)"))
      #expect(try count(NSPredicate(format: "text == 'é5'"), context) == 1)
    }
  }
#endif
