#if os(Linux)
  import CoreData
  import Foundation
  import Synchronization
  import Testing

  @_spi(Store) @testable import OpenCoreData

  /// What a program tells of itself while it runs. The listeners tell of the test's own coordinator alone; events are those of all
  /// tests.
  @Suite(.serialized) struct ListeningTests {
    private static func model() -> NSManagedObjectModel {
      let secret = TestModel.attribute("pin", .stringAttributeType)
      secret.userInfo = [OCDSecretAttributeKey: "YES"]
      let owner = TestModel.entity("LookedOwner", [TestModel.attribute("name", .stringAttributeType), secret])
      let thing = TestModel.entity(
        "LookedThing",
        [TestModel.attribute("label", .stringAttributeType), TestModel.attribute("size", .integer32AttributeType)])
      TestModel.relate(owner, "things", max: 0, thing, "owner", max: 1)
      let model = NSManagedObjectModel()
      model.entities = [owner, thing]
      return model
    }

    /// A context whose store has so many owners with two things each; none of them is registered or in the row cache.
    private static func context(_ owners: Int = 3) throws -> NSManagedObjectContext {
      let context = TestModel.context(try TestModel.coordinator(model()))
      try context.performAndWait {
        for number in 0..<owners {
          let owner = context.make("LookedOwner", ["name": "owner \(number)", "pin": "1234"])
          for place in 0..<2 {
            _ = context.make("LookedThing", ["label": "thing \(place)", "size": place, "owner": owner])
          }
        }
        try context.save()
        context.reset()
      }
      context.persistentStoreCoordinator!.persistentStores[0].rows.removeAll()
      context.faultBatchSize = 1
      return context
    }

    private static func id(_ object: AnyObject) -> String { LookedID.text(LiveObjects.address(of: object)) }

    private static func all(_ entity: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      // By the texts of their keys: the order in which they were made where they are fewer than ten.
      return try context.fetch(request).sorted {
        $0.objectID.uriRepresentation().lastPathComponent < $1.objectID.uriRepresentation().lastPathComponent
      }
    }

    private func with<Result>(
      _ coordinator: NSPersistentStoreCoordinator?, patience: Double = 120, _ body: (LookClient) throws -> Result
    ) throws -> Result {
      let server = try LookServer([try #require(coordinator)], patience: patience)
      defer { server.end() }
      return try body(try server.client())
    }

    private func coordinator(of context: NSManagedObjectContext, _ tree: [String: Any]) throws -> [String: Any] {
      let id = Self.id(try #require(context.persistentStoreCoordinator))
      let all = try #require(tree["coordinators"] as? [[String: Any]])
      return try #require(all.first { $0["id"] as? String == id })
    }

    // MARK: The tree

    @Test func theTreeHasCoordinatorsStoresAndContexts() throws {
      let context = try Self.context()
      context.name = "looked at"
      context.persistentStoreCoordinator?.name = "the shelf"
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = context
      child.name = "form"
      let objects = try context.performAndWait {
        context.undoManager = UndoManager()
        let owners = try Self.all("LookedOwner", context)
        owners[0].setValue("renamed", forKey: "name")
        context.delete(owners[1])
        _ = context.make("LookedThing", ["label": "new"])
        context.undoManager?.setActionName("Rename")
        context.processPendingChanges()
        return owners
      }
      let tree = try with(context.persistentStoreCoordinator) { try $0.ask(["ask": "tree"]) }
      let program = try #require(tree["program"] as? [String: Any])
      #expect(program["process"] as? Int == Int(getpid()) && program["version"] as? Int == 1)
      let coordinator = try coordinator(of: context, tree)
      #expect(coordinator["name"] as? String == "the shelf" && coordinator["isLocked"] as? Bool == false)
      let store = try #require((coordinator["stores"] as? [[String: Any]])?.first)
      #expect(store["type"] as? String == NSSQLiteStoreType && store["isReadOnly"] as? Bool == false)
      #expect((store["cachedRows"] as? Int ?? 0) > 0 && (store["cacheBytes"] as? Int ?? 0) > 0)
      #expect(store["cacheLimit"] as? Int == RowCache.standardByteLimit)
      let found = try #require(
        (coordinator["contexts"] as? [[String: Any]])?.first { $0["id"] as? String == Self.id(context) })
      #expect(found["name"] as? String == "looked at" && found["type"] as? String == "private queue")
      let pending = try #require(found["pending"] as? [String: Int], "\(found)")
      // The thing of the deleted owner has lost its owner.
      #expect(pending["inserted"] == 1 && pending["deleted"] == 1 && (pending["updated"] ?? 0) >= 1)
      #expect((found["undo"] as? [String: [String]])?["undo"]?.isEmpty == false)
      #expect((found["objects"] as? Int ?? 0) >= 4 && found["busy"] == nil)
      let children = try #require(found["children"] as? [[String: Any]])
      #expect(children.count == 1 && children[0]["id"] as? String == Self.id(child))
      #expect(children[0]["name"] as? String == "form")
      withExtendedLifetime((objects, child)) {}
    }

    @Test func aContextThatIsGoneIsNotThere() throws {
      let coordinator = try TestModel.coordinator(Self.model())
      var context: NSManagedObjectContext? = TestModel.context(coordinator)
      let id = Self.id(context!)
      context = nil
      try with(coordinator) { client in
        let tree = try client.ask(["ask": "tree"])
        let all = try #require(tree["coordinators"] as? [[String: Any]])
        let own = try #require(all.first { $0["id"] as? String == Self.id(coordinator) })
        #expect((own["contexts"] as? [[String: Any]])?.isEmpty == true)
        #expect(try client.ask(["ask": "changes", "context": id])["error"] is String)
      }
    }

    @Test func aBusyContextSaysSoAndIsNotWaitedFor() throws {
      let context = try Self.context()
      let (begun, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      context.perform {
        begun.signal()
        over.wait()
      }
      begun.wait()
      defer { over.signal() }
      try with(context.persistentStoreCoordinator, patience: LookScope.all.patience) { client in
        for _ in 0..<3 {
          let answer = try client.ask(["ask": "changes", "context": Self.id(context)])
          #expect((answer["busy"] as? String)?.hasPrefix("busy in a block on thread") == true, "\(answer)")
        }
        let found = try coordinator(of: context, try client.ask(["ask": "tree"]))
        let own = try #require((found["contexts"] as? [[String: Any]])?.first)
        #expect(own["busy"] is String && own["pending"] == nil)
        // One question waits, however often it was asked.
        let queue = try #require(own["queue"] as? [String: Any])
        #expect(queue["waitingBlocks"] as? Int == 1 && queue["thread"] is Int)
      }
    }

    // MARK: A context

    @Test func pendingChangesHaveOldAndNewValues() throws {
      let context = try Self.context()
      let kept = try context.performAndWait {
        let owners = try Self.all("LookedOwner", context), things = try Self.all("LookedThing", context)
        _ = owners[0].value(forKey: "name")
        owners[0].setValue("renamed", forKey: "name")
        owners[0].setValue("4321", forKey: "pin")
        things[0].setValue(owners[2], forKey: "owner")
        context.delete(owners[1])
        let new = context.make("LookedThing", ["label": "new", "size": 7])
        return owners + things + [new]
      }
      let answer = try with(context.persistentStoreCoordinator) {
        try $0.ask(["ask": "changes", "context": Self.id(context)])
      }
      let changes = try #require(answer["changes"] as? [[String: Any]])
      func values(_ object: NSManagedObject) throws -> [String: [String: Any]] {
        let name = context.performAndWait { LookedValue.name(of: object) }
        let change = try #require(changes.first { $0["object"] as? String == name }, "\(changes)")
        let values = try #require(change["values"] as? [[String: Any]])
        return Dictionary(values.map { ($0["property"] as? String ?? "", $0) }) { $1 }
      }
      let renamed = try values(kept[0])
      #expect(renamed["name"]?["old"] as? String == "owner 0" && renamed["name"]?["new"] as? String == "renamed")
      #expect(!"\(answer)".contains("4321") && !"\(answer)".contains("1234"))
      let moved = try values(kept[3])
      #expect((moved["owner"]?["new"] as? String)?.hasPrefix("LookedOwner/p") == true, "\(moved)")
      let new = try values(kept[kept.count - 1])
      #expect(new["size"]?["new"] as? String == "7" && new["size"]?["old"] == nil)
      #expect(changes.contains { $0["kind"] as? String == "deleted" })
      #expect(answer["count"] as? Int == changes.count)
    }

    @Test func lookingFiresNoFaultAndChangesNothing() throws {
      let context = try Self.context()
      let owners = try context.performAndWait { try Self.all("LookedOwner", context) }
      let new = context.performAndWait { context.make("LookedThing", ["label": "new", "owner": owners[0]]) }
      func state() -> [Bool] {
        context.performAndWait {
          owners.map(\.isFault) + [context.hasChanges, new.hasFault(forRelationshipNamed: "owner")]
        }
      }
      let before = state(), count = context.performAndWait { context.registeredObjects.count }
      let statements = try StatementLog.collect {
        try with(context.persistentStoreCoordinator) { client in
          for ask in ["tree", "changes", "objects"] {
            let answer = try client.ask(["ask": ask, "context": Self.id(context)])
            #expect(answer["error"] == nil && !"\(answer)".contains("busy"), "\(answer)")
          }
          let matches = try client.ask([
            "ask": "matches", "context": Self.id(context),
            "predicate": "owner.name == 'x' OR ANY owner.things.size > 3",
          ])
          #expect(matches["error"] == nil && matches["busy"] == nil, "\(matches)")
          // The new object has been asked, and its owner has not been read for it.
          let faults = (matches["faults"] as? [[String: Any]])?.compactMap { $0["wouldFire"] as? String }
          #expect(faults == ["LookedOwner/p1, for name"], "\(matches)")
        }
      }.statements
      #expect(!statements.contains { $0.contains("LOOKED") }, "\(statements)")
      #expect(state() == before && context.performAndWait { context.registeredObjects.count } == count)
    }

    @Test func registeredObjectsAreListed() throws {
      let context = try Self.context()
      let owners = try context.performAndWait {
        let owners = try Self.all("LookedOwner", context)
        _ = owners[0].value(forKey: "name")
        return owners
      }
      let faults = context.performAndWait { owners.count(where: \.isFault) }
      let answer = try with(context.persistentStoreCoordinator) {
        try $0.ask(["ask": "objects", "context": Self.id(context), "limit": 2])
      }
      let entity = try #require((answer["entities"] as? [[String: Any]])?.first)
      #expect(entity["name"] as? String == "LookedOwner" && entity["objects"] as? Int == 3)
      #expect(entity["faults"] as? Int == faults && answer["count"] as? Int == 3)
      #expect((answer["objects"] as? [[String: Any]])?.count == 2)
    }

    @Test func aPredicateSaysWhichFaultWouldFire() throws {
      let context = try Self.context()
      let kept = try context.performAndWait {
        let owners = try Self.all("LookedOwner", context)
        let first = context.make("LookedThing", ["label": "small", "size": 1])
        let second = context.make("LookedThing", ["label": "large", "size": 9])
        second.setPrimitiveValue(owners[0], forKey: "owner")
        return owners + [first, second]
      }
      try with(context.persistentStoreCoordinator) { client in
        func ask(_ predicate: String) throws -> [String: Any] {
          try client.ask([
            "ask": "matches", "context": Self.id(context), "entity": "LookedThing", "predicate": predicate,
          ])
        }
        let plain = try ask("size > 5")
        #expect(plain["asked"] as? Int == 2 && (plain["matches"] as? [String])?.count == 1, "\(plain)")
        let through = try ask("owner.name BEGINSWITH 'owner'")
        let faults = try #require(through["faults"] as? [[String: String]])
        #expect(faults.count == 1 && faults[0]["wouldFire"]?.hasSuffix(", for name") == true, "\(through)")
        #expect(faults[0]["wouldFire"]?.hasPrefix("LookedOwner/p") == true)
        #expect((through["matches"] as? [String])?.isEmpty == true)
        // What is decided before needs no fault.
        #expect((try ask("size == 1 AND owner.name == nil")["matches"] as? [String])?.count == 1)
        #expect(try ask("size >")["error"] is String)
        #expect(try ask("nothing == 1")["failure"] is String)
      }
      #expect(context.performAndWait { kept[0].isFault })
    }

    @Test func aPredicateCannotAskForSecretValues() throws {
      let context = try Self.context()
      let kept = context.performAndWait {
        let owner = context.make("LookedOwner", ["name": "new", "pin": "1234"])
        return [owner, context.make("LookedThing", ["label": "new", "owner": owner])]
      }
      try with(context.persistentStoreCoordinator) { client in
        for (predicate, entity) in [
          ("pin BEGINSWITH '1'", "LookedOwner"), ("pin + 1 == 2", "LookedOwner"), ("pin == name", "LookedOwner"),
          ("name == 'new' AND pin != nil", "LookedOwner"), ("owner.pin == '9876'", "LookedThing"),
          ("SUBQUERY(things, $x, $x.owner.pin LIKE '1*').@count > 0", "LookedOwner"),
        ] {
          let answer = try client.ask([
            "ask": "matches", "context": Self.id(context), "entity": entity, "predicate": predicate,
          ])
          #expect((answer["failure"] as? String)?.contains("secret") == true, "\(predicate): \(answer)")
          #expect((answer["matches"] as? [String])?.isEmpty == true && !"\(answer)".contains("1234"), "\(answer)")
        }
      }
      withExtendedLifetime(kept) {}
    }

    @Test func aPredicateEndsWhenItsTimeIsOver() throws {
      let context = try Self.context()
      try context.performAndWait {
        let kept = (0..<3).map { context.make("LookedThing", ["label": "new", "size": $0]) }
        let answer = try PredicateLook("size >= 0", entity: nil, limit: 10, seconds: 0).matches(context)
        #expect(answer.failure?.contains("takes longer than 0 ms") == true && answer.matches.isEmpty, "\(answer)")
        let other = try PredicateLook("size >= 0", entity: nil, limit: 10, seconds: 120).matches(context)
        #expect(other.failure == nil && other.matches.count == 3, "\(other)")
        withExtendedLifetime(kept) {}
      }
    }

    // MARK: Lifetimes

    @Test func aQuestionThatWaitsKeepsNoContext() throws {
      let coordinator = try TestModel.coordinator(Self.model())
      let (begun, over) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      weak var gone: NSManagedObjectContext?
      var live: LiveContext?
      do {
        let context = TestModel.context(coordinator)
        gone = context
        let scope = LookScope(coordinators: [LiveObjects.address(of: coordinator)])
        live = LiveObjects.contexts(in: scope).first { $0.address == LiveObjects.address(of: context) }
        live?.turns.async {
          begun.signal()
          over.wait()
        }
        begun.wait()
      }
      defer { over.signal() }
      #expect(gone == nil)
      // Its queue goes on after it: the question waits there, and gets no answer.
      let answers = ContextQuestion.ask([try #require(live)], patience: 0) { _ in true }
      #expect(answers == [nil])
    }

    @Test func aLockedCoordinatorSaysSo() throws {
      let coordinator = try TestModel.coordinator(Self.model())
      func isLocked() throws -> Bool {
        try with(coordinator) { client in
          let all = try #require(try client.ask(["ask": "tree"])["coordinators"] as? [[String: Any]])
          return try #require(all.first?["isLocked"] as? Bool)
        }
      }
      #expect(try !isLocked())
      let inside = try coordinator.performAndWait {
        coordinator.performAndWait {}
        return try isLocked()
      }
      #expect(inside)
      #expect(try !isLocked())
    }

    // MARK: Events

    @Test func eventsAreToldAndRepetitionsFound() throws {
      let context = try Self.context(20)
      try with(context.persistentStoreCoordinator) { client in
        var next = try #require(try client.ask(["ask": "events"])["next"] as? Int)
        var seen: [[String: Any]] = []
        let deadline = Date().addingTimeInterval(120)
        func has(_ kind: String, _ word: String) -> Bool {
          seen.contains { $0["kind"] as? String == kind && "\($0)".contains(word) }
        }
        // Other tests' events may push these out of the ring.
        repeat {
          try context.performAndWait {
            context.reset()
            context.persistentStoreCoordinator!.persistentStores[0].rows.removeAll()
            for owner in try Self.all("LookedOwner", context) { _ = (owner.value(forKey: "things") as? NSSet)?.count }
            try Self.all("LookedThing", context)[0].setValue(Int.random(in: 0..<1_000_000), forKey: "size")
            try context.save()
          }
          var portion: [String: Any]
          repeat {
            portion = try client.ask(["ask": "events", "from": next])
            next = try #require(portion["next"] as? Int)
            seen += try #require(portion["events"] as? [[String: Any]]).filter {
              "\($0)".contains("ooked") || "\($0)".contains("LOOKED")
            }
          } while (portion["events"] as? [Any])?.isEmpty == false
        } while Date() < deadline
          && !(has("fetch", "LookedOwner") && has("relationshipFault", "LookedOwner.things")
            && has("statement", "LOOKEDOWNER")
            && has("finding", "LookedOwner.things"))
        #expect(has("fetch", "LookedOwner") && has("statement", "LOOKEDOWNER"))
        #expect(has("relationshipFault", "LookedOwner.things"))
        let finding = try #require(
          seen.first { $0["kind"] as? String == "finding" && $0["relationship"] as? String == "LookedOwner.things" })
        let text = try #require(finding["text"] as? String)
        #expect(text.hasPrefix("LookedOwner.things is read one by one, "), "\(finding)")
        #expect((finding["advice"] as? String)?.contains("\"things\"") == true)
        #expect(!"\(seen)".contains("owner 1"))
      }
    }
  }
#endif
