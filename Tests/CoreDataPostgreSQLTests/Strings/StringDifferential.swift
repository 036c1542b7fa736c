#if PostgreSQL
  import CoreData
  import Foundation
  import OpenCocoaFoundation

  /// Compares the results of a store on a server with those of the evaluator in memory.
  enum StringDifferential {
    /// Returns the predicates for which the results differ, or for which the store throws.
    static func problems(at place: URL, seed: UInt64, count: Int) throws -> [String] {
      var random = RandomWords(seed: seed)
      let fixture = try StringFixture(at: place, count: 60, random: &random)
      return try fixture.context.performAndWait {
        let words = fixture.words.compactMap { $0.value(forKey: "text") as? String }
        var predicates = RandomStringPredicates(random: random, words: words)
        var problems: [String] = [], telling = 0
        for turn in 0..<count {
          let predicate = predicates.predicate()
          do {
            guard let expected = try expected(predicate, fixture.words) else { continue }
            let found = try found(predicate, turn, fixture.context)
            if !found.isEmpty, found.count < fixture.words.count { telling += 1 }
            if found != expected { problems.append("\(predicate): expected \(expected), found \(found)") }
          } catch {
            problems.append("\(predicate): \(error)")
          }
          // From time to time the values are changed, so that the store has another state.
          if turn % 50 == 49 {
            let word = fixture.words[turn % fixture.words.count]
            word.setValue(predicates.random.word(), forKey: "text")
            try fixture.context.save()
          }
        }
        if telling < count / 4 { problems.append("only \(telling) of \(count) predicates told words apart") }
        return problems
      }
    }

    /// Returns the objects that the evaluator finds; nil if it throws, for example for a regular expression that takes too long.
    private static func expected(_ predicate: NSPredicate, _ words: [NSManagedObject]) throws -> [Int64]? {
      do {
        return try EvaluationLimit.run(EvaluationLimit(patternSteps: 100_000)) {
          ids(try words.filter { try predicate.evaluateChecked(with: $0) })
        }
      } catch is OCDEvaluationError {
        return nil
      }
    }

    /// Returns the objects that the store finds, by one of several kinds of request.
    private static func found(
      _ predicate: NSPredicate, _ turn: Int, _ context: NSManagedObjectContext
    ) throws -> [Int64] {
      if turn % 4 == 1 {
        let request = NSFetchRequest<NSDictionary>(entityName: "Word")
        request.predicate = predicate
        (request.resultType, request.propertiesToFetch) = (.dictionaryResultType, ["id"])
        return try context.fetch(request).compactMap { $0["id"] as? NSNumber }.map(\.int64Value).sorted()
      }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Word")
      request.predicate = predicate
      let found = ids(try context.fetch(request))
      if turn % 4 == 2 {
        let count = try context.count(for: request)
        if count != found.count { return [Int64(-count)] }
      }
      if turn % 4 == 3 {
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Word")
        (request.predicate, request.resultType) = (predicate, .managedObjectIDResultType)
        return ids(try context.fetch(request).map { context.object(with: $0) })
      }
      return found
    }

    static func ids(_ words: [NSManagedObject]) -> [Int64] {
      words.compactMap { $0.value(forKey: "id") as? NSNumber }.map(\.int64Value).sorted()
    }
  }
#endif
