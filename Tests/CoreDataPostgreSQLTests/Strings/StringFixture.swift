#if PostgreSQL
  import CoreData
  import CoreDataPostgreSQL
  import Foundation

  /// Words of several scripts in a store on a server, each related to another word that it follows.
  struct StringFixture {
    let context: NSManagedObjectContext
    let words: [NSManagedObject]

    static func model() -> NSManagedObjectModel {
      let word = NSEntityDescription()
      word.name = "Word"
      func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
        return attribute
      }
      let before = NSRelationshipDescription(), after = NSRelationshipDescription()
      (before.name, before.destinationEntity, before.maxCount, before.isOptional) = ("before", word, 1, true)
      (after.name, after.destinationEntity, after.maxCount, after.isOptional) = ("after", word, 0, true)
      (before.inverseRelationship, after.inverseRelationship) = (after, before)
      word.properties = [
        attribute("id", .integer64AttributeType), attribute("text", .stringAttributeType),
        attribute("other", .stringAttributeType), attribute("number", .integer32AttributeType),
        attribute("flag", .booleanAttributeType), before, after,
      ]
      let model = NSManagedObjectModel()
      model.entities = [word]
      return model
    }

    init(at place: URL, count: Int, random: inout RandomWords) throws {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
      _ = try coordinator.addPersistentStore(
        ofType: NSPostgreSQLStoreType, configurationName: nil, at: place, options: nil)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      self.context = context
      words = try context.performAndWait {
        var words: [NSManagedObject] = []
        for id in 0..<count {
          let word = NSEntityDescription.insertNewObject(forEntityName: "Word", into: context)
          word.setValue(id, forKey: "id")
          if random.next(8) > 0 { word.setValue(random.word(), forKey: "text") }
          if random.next(4) > 0 { word.setValue(random.word(), forKey: "other") }
          word.setValue(random.next(100), forKey: "number")
          word.setValue(random.next(2) == 0, forKey: "flag")
          if !words.isEmpty, random.next(5) > 0 { word.setValue(words[random.next(words.count)], forKey: "before") }
          words.append(word)
        }
        try context.save()
        return words
      }
    }
  }

  /// Random words whose letters fold in awkward ways.
  struct RandomWords {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }

    mutating func pick<T>(_ values: [T]) -> T { values[next(values.count)] }

    private static let pools: [[Unicode.Scalar]] = [
      "abcABC", "ab _-%*?\\01.\n\u{b}\u{c}\r\u{85}\u{2028}", "ßẞİıſKÅéÉñÑçŁøæŒﬁﬀÿŸǰŉⅧⓐ①sSiIkK", "αΑςσΣάέΐᾳᾼϐ",
      "абвёЁйЙᲀ",
      "\u{300}\u{301}\u{308}\u{327}\u{345}\u{3099}\u{94D}\u{200D}\u{FE0F}", "אتかカがｶ가漢😀Ａａ１",
    ].map { Array($0.unicodeScalars) }

    /// Makes a word, often of ASCII, sometimes empty.
    mutating func word() -> String {
      var word = String.UnicodeScalarView()
      let isASCII = next(3) == 0
      for _ in 0..<next(6) {
        let pool = isASCII ? Self.pools[0] : pick(Self.pools)
        word.append(pick(pool))
      }
      return String(word)
    }

    /// Makes a word, or a part of one of the given words, sometimes in another case.
    mutating func part(of words: [String]) -> String {
      guard !words.isEmpty, next(4) > 0 else { return next(5) == 0 ? word() + "\0" + word() : word() }
      var scalars = Array(pick(words).unicodeScalars)
      if next(2) == 0 {
        scalars = Array(scalars.dropFirst(next(scalars.count + 1)))
        scalars = Array(scalars.prefix(1 + next(scalars.count + 1)))
      }
      while next(5) == 0 { scalars.insert(pick(["*", "?", "\\"]), at: next(scalars.count + 1)) }
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars)
      let part = String(view)
      return switch next(4) {
      case 0: part.uppercased()
      case 1: part.lowercased()
      case 2: part.decomposedStringWithCanonicalMapping
      default: part
      }
    }
  }
#endif
