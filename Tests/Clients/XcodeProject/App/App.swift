import CoreData
import Kit
import Logged
import Model
import Strict

/// Works on the model from the main actor, and says what came of it.
@main @MainActor struct App {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("XcodeProject-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let stack = CoreDataStack(url: folder.appendingPathComponent("People.sqlite"))
    try write(in: stack.container.viewContext)
    let titles = try await stack.container.newBackgroundContext().performed()
    check(titles == ["Ada: 2 notes, 2 tags, 1 friends, Engine (2)", "Bob: 0 notes, 0 tags, 1 friends, Engine (2)"])
    let background = stack.container.newBackgroundContext()
    let count = try await background.perform {
      let request: NSFetchRequest<Person> = Person.fetchRequest()
      return try background.count(for: request)
    }
    check(count == 2)
    try useRepositories(of: stack.container.viewContext)
    let lines = try logged { _ = try stack.container.viewContext.count(for: Person.fetchRequest()) }
    check(lines.contains { $0.hasPrefix("debug sql: SELECT COUNT(*) FROM ZRECORD") })
    check(lines.contains { $0.hasPrefix("debug annotation: total count request execution time: ") })
    check(sum(of: [3, 4, 5]) == 12)
    print("passed")
  }

  static func write(in context: NSManagedObjectContext) throws {
    let ada = Person(context: context), bob = Person(context: context)
    (ada.name, ada.nickname, ada.age, ada.mood, ada.größe) = ("Ada", "A", 36, .cheerful, 1.7)
    bob.name = "Bob"
    check(ada.identifier != nil && ada.created == Date(timeIntervalSinceReferenceDate: 0) && bob.größe == 1.5)
    check(ada.mood == .cheerful && ada.value(forKey: "mood") as? Int == 1 && ada.nickname == "A" && ada.size == 0)
    let notes = ["x", "y", "z"].map { text in
      let note = Note(context: context)
      note.text = text
      return note
    }
    ada.addToNotes(notes[0])
    ada.addToNotes(NSOrderedSet(array: [notes[1], notes[2]]))
    ada.removeFromNotes(at: 0)
    check(ada.notes?.count == 2 && notes[0].person == nil && notes[1].person === ada)
    context.delete(notes[0])
    ada.addToFriends(bob)
    check(bob.friends.contains(ada))
    let team = Team(context: context)
    team.title = "Engine"
    team.addToMembers(NSSet(array: [ada, bob]))
    let decoder = JSONDecoder()
    decoder.userInfo[.managedObjectContext] = context
    let tags = try decoder.decode([Tag].self, from: Data(#"[{"title":"a","weight":1},{"title":"b","weight":2}]"#.utf8))
    ada.tags = Set(tags)
    try check(
      JSONDecoder().decode([String: Double].self, from: JSONEncoder().encode(["w": tags[1].weight])) == ["w": 2])
    try context.save()
    check(ada.shoutedName == "ADA" && Person.describedKeys == "keys: name, team.title")
    check(type(of: tags[0]) == Tag.self && tags[0].entity.name == "Tag" && tags[0].person === ada)
  }

  /// What the rewriter makes of overrides in extensions, of casts, and of bundles.
  static func useRepositories(of context: NSManagedObjectContext) throws {
    let people = Repository<Person>(context: context)
    let eve = people.make()
    eve.name = "Eve"
    try check(eve.nickname == "?" && people.count() == 3 && people.all(where: isNamed("EVE")) == [eve])
    check(eve.summary() == "Person Eve (0)" && Team(context: context).title == "New")
    check(Repository<Person>.entities() == 5)
    context.rollback()
  }

  static func check(_ condition: @autoclosure () throws -> Bool, line: UInt = #line) rethrows {
    if try !condition() { fatalError("line \(line)", line: line) }
  }
}

extension NSManagedObjectContext {
  /// What a context of its own reads.
  func performed() async throws -> [String] {
    try await perform {
      let people = try Person.people(named: "ada", in: self) + Person.people(named: "BOB", in: self)
      App.verify(people)
      let requests = try self.fetch(Record.fetchRequest())
      return requests.isEmpty
        ? []
        : people.map {
          "\($0.name ?? ""): \($0.notes?.count ?? 0) notes, \($0.tags.count) tags, \($0.friends.count) friends, "
            + ($0.team?.caption ?? "")
        }
    }
  }
}

extension App {
  nonisolated static func verify(_ people: [Person]) {
    let names = Set(people[0].tags.map(\.title))
    precondition(names == ["a", "b"] && people[0].mood == .cheerful && people[0].notes?.firstObject is Note)
  }
}
