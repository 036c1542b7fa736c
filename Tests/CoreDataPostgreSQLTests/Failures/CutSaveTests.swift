#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLTestServer
  import Testing

  @testable import CoreDataPostgreSQL

  /// Saves whose connection is cut at each message, beside the same saves of a store in a file.
  @Suite("Saves that are cut", .needsServer)
  struct CutSaveTests {
    /// What a save does.
    enum Work: String, CaseIterable { case inserted, changed, deleted, mixed }

    /// What was deleted once is there again, and what was inserted is gone, so that the next save does the same.
    private static func prepare(_ context: NSManagedObjectContext) throws {
      for entity in ["Node", "Box", "Label", "Card"] {
        for object in try context.all(entity, "tag BEGINSWITH 'new'") { context.delete(object) }
      }
      for number in 0..<2 where try context.all("Node", "tag == 'old\(number)'").isEmpty {
        let node = context.make(number == 0 ? "Node" : "Leaf", ["tag": "old\(number)"])
        node.setValue(try one("Box", "box0", context), forKey: "box")
        set([try one("Label", "label0", context)], "labels", of: node)
      }
      try context.save()
    }

    private static func one(_ entity: String, _ tag: String, _ context: NSManagedObjectContext) throws
      -> NSManagedObject
    {
      try context.all(entity, "tag == '\(tag)'").first ?? context.make(entity, ["tag": tag])
    }

    private static func set(_ members: [NSManagedObject], _ name: String, of object: NSManagedObject) {
      let isOrdered = object.entity.relationshipsByName[name]?.isOrdered == true
      object.setValue(isOrdered ? NSOrderedSet(array: members) : NSSet(array: members), forKey: name)
    }

    /// Changes objects and their relationships of every kind; the number tells one save from another.
    private static func make(_ work: Work, _ number: Int, _ context: NSManagedObjectContext) throws {
      if work == .inserted || work == .mixed {
        let node = context.make("Node", ["tag": "new\(number)", "age": number])
        let leaf = context.make("Leaf", ["tag": "newLeaf\(number)", "color": "green", "parent": node])
        node.setValue(context.make("Box", ["tag": "newBox\(number)"]), forKey: "box")
        node.setValue(context.make("Card", ["tag": "newCard\(number)"]), forKey: "card")
        set([leaf, try one("Node", "node1", context)], "friends", of: node)
        set([try one("Label", "label1", context)], "labels", of: leaf)
      }
      if work == .changed || work == .mixed {
        let node = try one("Node", "node0", context), isOdd = number % 2 == 1
        node.setValue(number, forKey: "age")
        node.setValue(try one("Box", isOdd ? "box1" : "box0", context), forKey: "box")
        node.setValue(try one("Node", isOdd ? "node1" : "node2", context), forKey: "parent")
        let labels = try (isOdd ? [2, 1, 0] : [0, 2]).map { try one("Label", "label\($0)", context) }
        set(labels, "labels", of: node)
      }
      if work == .deleted || work == .mixed {
        for number in 0..<2 { context.delete(try one("Node", "old\(number)", context)) }
      }
    }

    private static func setUp(_ world: BatchWorld) throws {
      try world.inContext { context in
        for number in 0..<3 {
          for entity in ["Node", "Box", "Label"] { _ = try one(entity, "\(entity.lowercased())\(number)", context) }
        }
        try context.save()
      }
    }

    /// After each cut the store has all of the save if that has returned, and else nothing of it; then the same context saves
    /// what it still has. Each 16th message is cut, `SOAK=16` takes them all.
    @Test(arguments: Work.allCases, [false, true]) func wherever(work: Work, isOrdered: Bool) throws {
      var random = SeededGenerator(for: "cuts of \(work)")
      for side in [MessageProxy.Side.client, .server] { try cutting(work, side, isOrdered, &random) }
    }

    private func cutting(
      _ work: Work, _ side: MessageProxy.Side, _ isOrdered: Bool, _ random: inout SeededGenerator
    ) throws {
      let model = BatchModels.graph(isOrdered: isOrdered)
      let world = try ProxiedWorld(model, options: [NSPersistentHistoryTrackingKey: true])
      let file = try BatchWorld(model, isServer: false)
      for world in [world.direct, file] { try Self.setUp(world) }
      let proxy = world.proxy, context = world.store.context
      var position = Int.random(in: 0..<ProxiedWorld.stride, using: &random), number = 0, saved = 0
      while position < 500 {
        try context.performAndWait { try Self.prepare(context) }
        try file.inContext { try Self.prepare($0) }
        number += 1
        // Half of the saves have connections that are there already.
        let isNew = number % 2 == 0
        if isNew { proxy.cutNow() }
        let before = try world.direct.contents(), commits = try numberOfCommits(world), cuts = proxy.cutCount
        #expect(try before == file.contents())
        let what: Comment = "\(work) cut after \(position) of the \(side), seen"
        let isSaved = try context.performAndWait {
          try Self.make(work, number, context)
          proxy.cut(after: position, of: side)
          do { try context.save() } catch {
            checkFailure(error, "\(work) cut after \(position) of the \(side)")
            // The server is there: nobody waits for it to the end.
            #expect((error as NSError).code != NSPersistentStoreTimeoutError, what)
            #expect((error as NSError).userInfo[NSPostgreSQLSaveIsInDoubtKey] == nil, what)
            return false
          }
          return true
        }
        proxy.doNotCut()
        if isSaved {
          saved += 1
        } else {
          #expect(try world.direct.contents() == before, what)
          try context.performAndWait { try context.save() }
        }
        try file.inContext {
          try Self.make(work, number, $0)
          try $0.save()
        }
        #expect(try world.direct.contents() == file.contents(), what)
        #expect(try world.store.contents() == file.contents(), what)
        #expect(try numberOfCommits(world) == commits + 1, what)
        if proxy.cutCount == cuts, isNew { break }
        position += isNew ? ProxiedWorld.stride : 0
      }
      #expect(saved > 2 && position < 500, "\(work), \(side): \(position), \(saved) saved")
    }

    /// How many saves history tells of.
    private func numberOfCommits(_ world: ProxiedWorld) throws -> Int {
      try Int(world.direct.texts("SELECT count(*)::text FROM \"_commit\" WHERE process IS NOT NULL").first ?? "") ?? 0
    }
  }
#endif
