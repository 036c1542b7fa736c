#if PostgreSQL
  import CoreData
  import FuzzSupport
  import Foundation
  import PostgreSQLTestServer
  import Testing

  /// Random batch requests leave in a server what they leave in a file.
  @Suite("Batch requests of a server and a file", .needsServer)
  struct BatchDifferentialTests {
    /// What a request gave: its count, or the code of its error with the keys of the conflict.
    private func outcome(_ body: () throws -> Int?) -> String {
      do { return "\(try body() ?? -1)" } catch let error as NSError {
        let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
        let key = error.userInfo[NSValidationKeyErrorKey] as? String ?? ""
        return "\(error.code) \(key) \(conflicts.map { "\($0.constraint) \($0.conflictingObjects.count)" })"
      }
    }

    private func compare(
      _ worlds: [BatchWorld], _ what: String, _ body: (BatchWorld) throws -> Int?
    ) throws -> Bool {
      let outcomes = worlds.map { world in outcome { try body(world) } }
      let contents = try worlds.map { try $0.contents() }
      #expect(outcomes[0] == outcomes[1], "\(what)")
      #expect(contents[0] == contents[1], "\(what)")
      #expect(try worlds[0].cachedContents() == contents[0], "what the cache has after \(what)")
      return outcomes[0] == outcomes[1] && contents[0] == contents[1]
    }

    @Test func insertsAndUpdates() throws {
      let policies: [NSMergePolicy] = [
        .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
      ]
      let constraints: [[[String]]] = [[], [["name"]], [["code", "stock"]], [["name"], ["code"]]]
      try FuzzCampaign("batch inserts on a server", cases: 6).run { seed in
        var random = SeededGenerator(seed: seed)
        let unique = constraints.randomElement(using: &random)!
        let worlds = try [true, false].map { try BatchWorld(BatchModels.products(unique: unique), isServer: $0) }
        for world in worlds {
          try world.inContext { context in
            for number in 0..<3 { context.make("Shop", ["tag": "s\(number)", "name": "S\(number)"]) }
            try context.save()
          }
        }
        for step in 0..<8 {
          let policy = policies.randomElement(using: &random)!
          let entity = Bool.random(using: &random) ? "Product" : "Book"
          let isUpdate = Int.random(in: 0...2, using: &random) == 0
          let count = Int.random(in: 0...12, using: &random) * (Int.random(in: 0...4, using: &random) == 0 ? 40 : 1)
          let isUniform = Bool.random(using: &random)
          let rows = (0..<count).map { row(entity, "\(step).\($0)", isUniform: isUniform, &random) }
          let number = Int.random(in: 0...9, using: &random)
          let values = change(number, &random)
          let what =
            "step \(step): \(policy.mergeType), \(unique), \(entity), \(isUpdate ? "\(values)" : "\(count) rows")"
          let isSame = try compare(worlds, what) { world in
            try world.inContext(policy) { context in
              if !isUpdate { return try context.insertBatch(entity, rows) }
              var values = values
              if let shop = values["shop"] as? Int {
                values["shop"] = try context.all("Shop", "tag == 's\(shop)'").first?.objectID ?? NSNull()
              }
              return try context.updateBatch(entity, "rank == \(number) OR shopName == 'S\(number)'", values)
            }
          }
          if !isSame { return }
        }
      }
    }

    private func row(
      _ entity: String, _ tag: String, isUniform: Bool, _ random: inout SeededGenerator
    ) -> [String: Any] {
      let number = Int.random(in: 0...40, using: &random)
      let choices: [(String, [Any])] = [
        ("name", ["N\(number)", "ä\(number)", "it's \"\\\(number)\\\"", "\u{1F600}\(number)"]),
        ("code", [number, NSNull()]), ("stock", [number % 5, NSNull()]), ("rank", [number % 10]),
        ("price", [Decimal(number) / 4, Decimal(string: "123456789.0625")!, NSNull()]),
        ("made", [Date(timeIntervalSinceReferenceDate: Double(number) / 3), NSNull()]),
        // Sums of these are the same in any order.
        ("weight", [Double(number), 0.125]),
        ("height", [Float(0.1), 2]), ("isNew", [true, false, NSNull()]),
        ("serial", [UUID(uuidString: "12345678-1234-1234-1234-1234567890AB")!, NSNull()]),
        ("link", [URL(string: "https://example.com/\(number)")!, NSNull()]),
        ("picture", [Data([1, 0, 3]), Data(), NSNull()]),
        ("labels", [["a", "b"] as NSArray, NSNull()]), ("size", [["width": 2.5, "unit": "m"], NSNull()]),
      ]
      var row: [String: Any] = ["tag": tag]
      for (key, values) in choices {
        let isGiven = Bool.random(using: &random)
        if isUniform || isGiven || key == "name" { row[key] = values.randomElement(using: &random) }
      }
      if entity == "Book" { row["pages"] = number }
      return row
    }

    private func change(_ number: Int, _ random: inout SeededGenerator) -> [String: Any] {
      let choices: [[String: Any]] = [
        ["name": "X'\(number)\""], ["stock": number, "isNew": false], ["weight": Double(number) / 2],
        ["shop": number % 3], ["shop": NSNull()], ["price": Decimal(number)], ["picture": Data([9])],
        ["stock": NSExpression(format: "stock + 1")], ["weight": NSExpression(format: "weight * 2")],
        ["made": Date(timeIntervalSinceReferenceDate: 5)], ["code": number],
        ["size": ["width": Double(number)]], ["shop": number % 3, "weight": 7],
      ]
      return choices.randomElement(using: &random)!
    }

    @Test func deletions() throws {
      let rules: [NSDeleteRule] = [
        .nullifyDeleteRule, .nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule,
      ]
      let names = ["children", "parent", "labels", "card", "friends", "box"].map { "Node.\($0)" }
      try FuzzCampaign("batch deletes on a server", cases: 10).run { seed in
        var random = SeededGenerator(seed: seed)
        var chosen: [String: NSDeleteRule] = [:]
        for name in names + ["Box.nodes", "Label.nodes", "Card.node"] {
          chosen[name] = rules.randomElement(using: &random)
        }
        let isOrdered = Bool.random(using: &random)
        let options: [String: Any] = Bool.random(using: &random) ? [NSPersistentHistoryTrackingKey: true] : [:]
        let worlds = try [true, false].map {
          try BatchWorld(
            BatchModels.graph(isOrdered: isOrdered) { chosen[$0] ?? .nullifyDeleteRule }, isServer: $0, options: options
          )
        }
        let state = random
        for world in worlds {
          random = state
          try world.inContext { try fill($0, &random) }
        }
        for step in 0..<6 {
          let entity = ["Node", "Leaf", "Box", "Label", "Card"].randomElement(using: &random)!
          let number = Int.random(in: 0...9, using: &random)
          let formats =
            entity == "Node" ? ["age == \(number)", "box.tag == 'b\(number % 4)'"] : ["tag ENDSWITH '\(number)'"]
          let format = formats.randomElement(using: &random)!
          let rules = chosen.map { "\($0.key) \($0.value.rawValue)" }.sorted()
          let isSame = try compare(worlds, "step \(step): \(entity) where \(format), \(rules)") { world in
            try world.inContext { try $0.deleteBatch(entity, format) }
          }
          if !isSame { return }
        }
      }
    }

    private func fill(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
      func all(_ entity: String, _ tag: String, _ count: Int) -> [NSManagedObject] {
        (0..<count).map { context.make(entity, ["tag": "\(tag)\($0)"]) }
      }
      let boxes = all("Box", "b", 4), labels = all("Label", "t", 4), cards = all("Card", "c", 12)
      let nodes = all("Node", "n", 12) + all("Leaf", "l", 12)
      try context.save()
      for (index, node) in nodes.enumerated() {
        node.setValue(Int.random(in: 0...9, using: &random), forKey: "age")
        if Bool.random(using: &random) { node.setValue(nodes.randomElement(using: &random), forKey: "parent") }
        if Bool.random(using: &random) { node.setValue(boxes.randomElement(using: &random), forKey: "box") }
        if index < cards.count, Bool.random(using: &random) { node.setValue(cards[index], forKey: "card") }
        if index >= 12, Bool.random(using: &random) {
          node.setValue(boxes.randomElement(using: &random), forKey: "home")
        }
        for label in labels where Bool.random(using: &random) {
          if node.entity.relationshipsByName["labels"]!.isOrdered {
            node.mutableOrderedSetValue(forKey: "labels").add(label)
          } else {
            node.mutableSetValue(forKey: "labels").add(label)
          }
        }
        if Int.random(in: 0...2, using: &random) == 0, let friend = nodes.randomElement(using: &random) {
          node.mutableSetValue(forKey: "friends").add(friend)
        }
      }
      try context.save()
    }
  }
#endif
