// What the examples in the doc comments of Sources find in scope. `.ci/comment-examples` makes a function of each:
//
//     @MainActor func example(container: NSPersistentContainer, context: NSManagedObjectContext) async throws
//
// - `container`: a container of the model Diary, which stands beside this file. Its store is a SQLite store of its own for each
//   example, with persistent history, and holds the three entries of `fill(_:)` below; nothing of it has been read.
// - `context`: the container's `viewContext`. The example runs on the main thread, which is its queue.
// - `folder`: a folder that goes when the example has ended.
// - `Entry` (title, text, date, words, rating 0 to 5, isPinned, photo; `pages` in their order, `tags`), `Page` (text, entry) and
//   `Tag` (name, which is unique; entries): the classes that the build plugin makes of the model.
// - `fetchEntry(_:in:)`, `openDiary(at:)`, `diary(_:of:)`, `statements(_:)`: the helpers below.
//
// Types that an example declares at its margin become types of the file. A comment behind `print(...)` is what it prints; where
// it prints several times, the lines are joined by " / ".

import CoreData
import Foundation
import Synchronization

/// The entry of that title, read from the store.
func fetchEntry(_ title: String, in context: NSManagedObjectContext) throws -> Entry {
  let request = NSFetchRequest<Entry>(entityName: "Entry")
  request.predicate = NSPredicate(format: "title == %@", title)
  guard let entry = try context.fetch(request).first else { throw CocoaError(.fileNoSuchFile) }
  return entry
}

/// Another container over the diary at a URL, as another program would have it.
func openDiary(at url: URL) throws -> NSPersistentContainer {
  try opened(NSPersistentContainer(name: "Diary", managedObjectModel: Diary.model), at: url)
}

/// A context over an empty diary whose objects of an entity are of a class of the example's.
func diary(_ type: NSManagedObject.Type, of entity: String) throws -> NSManagedObjectContext {
  guard let model = Diary.model.copy() as? NSManagedObjectModel else { throw CocoaError(.featureUnsupported) }
  model.entitiesByName[entity]?.managedObjectClassName = NSStringFromClass(type)
  let container = try opened(
    NSPersistentContainer(name: "Diary", managedObjectModel: model), at: URL(fileURLWithPath: "/dev/null"))
  return container.viewContext
}

/// How many SELECT statements some work makes the store run.
func statements(_ work: () throws -> Void) rethrows -> Int {
  let before = CoreDataInstruments.counters
  try work()
  return (CoreDataInstruments.counters - before).selects
}

// MARK: What the generated program calls

enum Diary {
  static let model: NSManagedObjectModel = {
    let url = Bundle.module.url(forResource: "Diary", withExtension: "momd")
    guard let model = url.flatMap({ NSManagedObjectModel(contentsOf: $0) }) else {
      fatalError("There is no model Diary.")
    }
    return model
  }()

  /// Runs one example over a diary of its own.
  @MainActor
  static func run(
    _ example: @MainActor (NSPersistentContainer, NSManagedObjectContext, URL) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try openDiary(at: folder.appendingPathComponent("Diary.sqlite"))
    try await container.performBackgroundTask { context in try fill(context) }
    container.persistentStoreCoordinator.emptyRowCache()
    try await example(container, container.viewContext, folder)
  }

  /// | title | words | rating | tags | pages |
  /// |---|---|---|---|---|
  /// | Monday | 120 | 3 | work | Morning, Evening |
  /// | Tuesday | 80 | 5 | work, swift | |
  /// | Wednesday (pinned) | 200 | 4 | swift | |
  private static func fill(_ context: NSManagedObjectContext) throws {
    let names = ["work", "swift"]
    let tags = names.map { name in
      let tag = Tag(context: context)
      tag.name = name
      return tag
    }
    let contents: [(title: String, words: Int32, rating: Int16, tags: [Tag])] = [
      ("Monday", 120, 3, [tags[0]]), ("Tuesday", 80, 5, tags), ("Wednesday", 200, 4, [tags[1]]),
    ]
    for (day, content) in contents.enumerated() {
      let entry = Entry(context: context)
      entry.title = content.title
      entry.words = content.words
      entry.rating = content.rating
      entry.isPinned = content.title == "Wednesday"
      // Noon of Monday, the 5th of January 2026, and of the days after it.
      entry.date = Date(timeIntervalSinceReferenceDate: 789_307_200 + 86_400 * Double(day))
      for tag in content.tags { entry.addToTags(tag) }
      if day > 0 { continue }
      for text in ["Morning", "Evening"] {
        let page = Page(context: context)
        page.text = text
        entry.addToPages(page)
      }
    }
    try context.save()
  }
}

private func opened(_ container: NSPersistentContainer, at url: URL) throws -> NSPersistentContainer {
  let description = NSPersistentStoreDescription(url: url)
  description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  container.persistentStoreDescriptions = [description]
  var failure: (any Error)?
  container.loadPersistentStores { _, error in failure = error }
  if let failure { throw failure }
  return container
}

/// What examples have printed: their lines, and those of the sources where that was.
let printed = Mutex<[String]>([])

/// What the generated program calls in place of `print`: it notes the line of the comment, too.
func notePrinted(_ items: Any..., separator: String = " ", line: Int = #line) {
  let text = items.map { "\($0)" }.joined(separator: separator)
  printed.withLock { $0.append("\(line)\t\(text.replacing("\n", with: " "))") }
}
