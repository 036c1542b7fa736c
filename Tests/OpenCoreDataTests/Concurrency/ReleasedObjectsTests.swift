import CoreData
import Synchronization
import Testing

@_spi(Store) @testable import OpenCoreData

/// Objects that are released off their context's queue, whatever they have been through.
@Suite struct ReleasedObjectsTests {
  private static let seed = SeededGenerator.makeSeed(for: "released objects")

  /// What one of several contexts does, with authors and books of its own.
  private struct Worker {
    let number: Int
    let context: NSManagedObjectContext
    let bag: ReleaseBag
    var random: SeededGenerator
    /// The titles that are in the store, by author.
    var titles: [NSManagedObjectID: Set<String>] = [:]

    init(_ number: Int, _ context: NSManagedObjectContext, _ bag: ReleaseBag) {
      (self.number, self.context, self.bag) = (number, context, bag)
      random = SeededGenerator(seed: ReleasedObjectsTests.seed &+ UInt64(number))
    }

    mutating func step(_ round: Int) throws {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: try insert(round)
      case 2: try change(round)
      case 3: try delete()
      case 4: try read()
      default:
        bag.add(Array(context.registeredObjects))
        if Bool.random(using: &random) { context.refreshAllObjects() } else { context.reset() }
      }
    }

    private mutating func insert(_ round: Int) throws {
      let author = context.make("Author", ["name": "\(number)"])
      let names = (0..<3).map { "\(number) \(round) \($0)" }
      let books = names.map { context.make("Book", ["title": $0, "author": author]) }
      // Those that only the context holds from here on.
      bag.add([author] + books)
      try context.save()
      titles[author.objectID] = Set(names)
    }

    private mutating func change(_ round: Int) throws {
      guard let id = titles.keys.randomElement(using: &random) else { return }
      let author = try context.existingObject(with: id)
      let books = author.mutableSetValue(forKey: "books").allObjects.compactMap { $0 as? NSManagedObject }
      #expect(Set(books.compactMap { $0.value(forKey: "title") as? String }) == titles[id])
      let book = try #require(books.first)
      book.setValue("\(number) \(round)", forKey: "title")
      bag.add(books)
      bag.add([author])
      try context.save()
      titles[id] = Set(books.compactMap { $0.value(forKey: "title") as? String })
    }

    private mutating func delete() throws {
      guard let id = titles.keys.randomElement(using: &random) else { return }
      let author = try context.existingObject(with: id)
      bag.add([author])
      context.delete(author)
      try context.save()
      titles[id] = nil
    }

    /// Everybody's books, which their owners may be deleting.
    private func read() throws {
      let books = try context.all("Book")
      for book in books { _ = book.value(forKey: "title") }
      bag.add(books)
    }
  }

  @Test func objectsAreReleasedWhileTheirContextsWork() throws {
    let url = try TestModel.temporaryFile()
    let coordinator = try TestModel.coordinator(TestModel.library(), url: url)
    let workers = 4
    let bag = ReleaseBag(), atWork = Atomic(workers), dropped = Atomic(0)
    let expected = Mutex<Set<String>>([])
    Soak.threads(workers + 2) { number in
      if number >= workers {
        while atWork.load(ordering: .acquiring) > 0 { dropped.wrappingAdd(bag.drop(), ordering: .relaxed) }
        return
      }
      defer { atWork.wrappingSubtract(1, ordering: .releasing) }
      var worker = Worker(number, TestModel.context(coordinator), bag)
      for round in 0..<60 * Soak.factor { try worker.context.performAndWait { try worker.step(round) } }
      let titles = worker.titles.values.flatMap { $0 }
      expected.withLock { $0.formUnion(titles) }
    }
    bag.drop()
    #expect(dropped.load(ordering: .relaxed) > 0)
    let found = try PlainDatabase(url).strings("SELECT ZTITLE FROM ZBOOK")
    #expect(Set(found) == expected.withLock { $0 } && Set(found).count == found.count)
  }

  /// What a block of `perform` gives or leaves behind is the caller's when it comes back, and can be let go of there.
  @Test(arguments: TestStore.all) func whatComesOutOfAContextIsTheCallers(_ store: TestStore) async throws {
    final class Note: @unchecked Sendable {  // in one hand at a time
      var number = 0
      var objects: [NSManagedObject] = []
    }
    let context = TestModel.context(try store.coordinator(TestModel.library()))
    let tasks = 8, rounds = 50 * Soak.factor
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          let mine = Note()
          for round in 0..<rounds {
            mine.number += 1
            let note = try await context.perform {
              mine.number += 1
              let note = Note()
              note.objects = [context.make("Tag", ["name": "\(round)"])]
              note.number = mine.number
              if round % 10 == 0 { try context.save() }
              return note
            }
            note.number += 1
            mine.number = note.number - 1
            note.objects = []
          }
          return mine.number
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 2 * tasks * rounds)
    let tags = try await context.perform {
      try context.save()
      return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Tag"))
    }
    #expect(tags == tasks * rounds)
  }
}
