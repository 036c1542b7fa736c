import CoreData
import Testing

/// The classes of Studio.xcdatamodeld, which is a resource of this target without being listed.
@Suite struct GeneratedClassTests {
  private func context() throws -> NSManagedObjectContext {
    let container = NSPersistentContainer(name: "Studio")
    container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
    container.loadPersistentStores { _, error in #expect(error == nil) }
    return container.newBackgroundContext()
  }

  @Test func attributes() throws {
    let context = try context()
    try context.performAndWait {
      let session = Session(context: context), identifier = UUID(), now = Date(timeIntervalSinceReferenceDate: 9)
      #expect(session.name == "untitled" && session.count == 0 && session.plays == 0 && session.id == nil)
      (session.name, session.count, session.plays, session.rating) = ("Blue", 7, 1 << 40, 0.5)
      (session.isLive, session.größe, session.class, session.ended) = (true, -5, "A", 12.5)
      (session.id, session.link, session.bytes) = (identifier, URL(string: "https://example.org"), Data([1]))
      (session.price, session.started) = (NSDecimalNumber(string: "9.99"), now)
      try context.save()
      context.refreshAllObjects()
      #expect(session.name == "Blue" && session.count == 7 && session.plays == 1 << 40 && session.rating == 0.5)
      #expect(session.isLive && session.größe == -5 && session.class == "A" && session.ended == 12.5)
      #expect(session.id == identifier && session.link?.host == "example.org" && session.bytes == Data([1]))
      #expect(session.price == NSDecimalNumber(string: "9.99") && session.started == now)
      #expect(session.value(forKey: "ended") as? Date == Date(timeIntervalSinceReferenceDate: 12.5))
    }
  }

  @Test func transformablesAndComposites() throws {
    let context = try context()
    try context.performAndWait {
      let session = Session(context: context)
      #expect(session.mixes == nil && session.plan == nil && session.tint == nil && session.place == nil)
      session.mixes = ["a", "b"]
      session.plan = NSDictionary(dictionary: ["x": 1])
      session.tint = Tint("blue")
      session.place = ["street": "Elm", "floor": 2]
      try context.save()
      #expect(session.mixes == ["a", "b"] && session.tint?.name == "blue")
      context.refreshAllObjects()
      #expect(
        session.mixes == ["a", "b"] && session.plan as? [String: Int] == ["x": 1] && session.tint?.name == "blue")
      #expect(session.place as? NSDictionary == ["street": "Elm", "floor": 2] as NSDictionary)
      session.place?["street"] = "Oak"
      #expect(session.value(forKeyPath: "place.street") as? String == "Oak")
      session.place = nil
      session.tint = nil
      try context.save()
      context.refreshAllObjects()
      #expect(session.place == nil && session.tint == nil && session.mixes?.count == 2)
    }
  }

  @Test func relationships() throws {
    let context = try context()
    try context.performAndWait {
      let room = Room(context: context), session = Session(context: context)
      room.name = "One"
      room.addToSessions(session)
      #expect(session.room === room && room.sessions?.count == 1 && room.title == "Room One")
      let takes = (0..<4).map { _ in Take(context: context) }
      session.addToTakes(takes[0])
      session.addToTakes(NSOrderedSet(array: [takes[1], takes[2]]))
      session.insertIntoTakes(takes[3], at: 3)
      #expect(session.takes?.array as? [Take] == takes && takes[2].session === session)
      session.removeFromTakes(at: 0)
      session.replaceTakes(at: 2, with: takes[0])
      session.removeFromTakes(NSOrderedSet(object: takes[1]))
      #expect(session.takes?.set as? Set<Take> == [takes[0], takes[2]] && takes[3].session == nil)
      session.insertIntoTakes([takes[1], takes[3]], at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)))
      session.removeFromTakes(at: NSIndexSet(index: 3))
      #expect(session.takes?.array as? [Take] == [takes[1], takes[3], takes[2]])
      room.addToPlain(
        NSManagedObject(
          entity: try #require(NSEntityDescription.entity(forEntityName: "Plain", in: context)), insertInto: context))
      try context.save()
      context.refreshAllObjects()
      #expect(session.takes?.array as? [Take] == [takes[1], takes[3], takes[2]] && room.plain?.count == 1)
      session.takes = nil
      #expect(takes.allSatisfy { $0.session == nil })
      session.addToTakes(Array(takes.reversed()))
      #expect(session.takes?.array as? [Take] == takes.reversed())
      session.removeFromTakes([takes[3], takes[0]])
      #expect(session.takes?.array as? [Take] == [takes[2], takes[1]])
      session.addToTakes(NSOrderedSet(object: takes[0]))
      session.addToTakes([takes[3]])
      #expect(session.takes?.array as? [Take] == [takes[2], takes[1], takes[0], takes[3]])
    }
  }

  @Test func requestsAndIdentity() throws {
    let context = try context()
    try context.performAndWait {
      let live = LiveSession(context: context)
      (live.venue, live.name) = ("Hall", "Live")
      _ = Session(context: context)
      try context.save()
      #expect(try context.fetch(Session.fetchRequest()).count == 2)
      let request: NSFetchRequest<LiveSession> = LiveSession.fetchRequest()
      request.sortDescriptors = [NSSortDescriptor(keyPath: \LiveSession.name, ascending: true)]
      request.predicate = NSPredicate(format: "%K == %@", NSExpression(forKeyPath: \LiveSession.venue).keyPath, "Hall")
      #expect(try context.fetch(request) == [live])
      #expect(Dictionary(grouping: [live], by: \.id).count == 1)
      #expect(NSEntityDescription.insertNewObject(forEntityName: "Session", into: context) is Session)
    }
  }
}
