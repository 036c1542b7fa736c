import CoreData
import ExampleSupport
import Foundation

/// The fetch of a context that stands on the coordinator, beside those of contexts with others above them.
@MainActor struct FetchLevels {
  struct Measure: Codable {
    var title: String
    var cost: Cost
    var songs: Int
    /// The number of objects that the contexts above have got by it.
    var objectsAbove: Int
  }

  /// The number of songs in the store.
  let count: Int

  /// - Throws: The errors of opening, saving and fetching.
  func run(in folder: URL) throws -> [Measure] {
    let url = folder.appending(path: "levels.sqlite")
    try Stack.fill(at: url, songs: count)
    return [
      try measure("on the coordinator", url, levels: 0),
      try measure("below one context", url, levels: 1),
      try measure("below two contexts", url, levels: 2),
      try measure("below two, with a change above", url, levels: 2, isChangedAbove: true),
    ]
  }

  /// Fetches all songs with a new stack, which has no row in memory yet, and reads their titles.
  private func measure(_ title: String, _ url: URL, levels: Int, isChangedAbove: Bool = false) throws -> Measure {
    var contexts = [try Stack.open(at: url).newBackgroundContext()]
    for _ in 0..<levels {
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = contexts.last
      contexts.append(child)
    }
    let lowest = contexts.removeLast()
    if isChangedAbove, let highest = contexts.first { try Self.change(in: highest) }
    return try lowest.performAndWait {
      let meter = Meter()
      let songs = try lowest.fetch(NSFetchRequest<Song>(entityName: "Song"))
      let letters = songs.reduce(0) { $0 + ($1.title?.utf8.count ?? 0) }
      let cost = meter.cost
      let above = contexts.reduce(0) { sum, context in sum + context.performAndWait { context.registeredObjects.count }
      }
      return Measure(title: title, cost: cost, songs: letters > 0 ? songs.count : 0, objectsAbove: above)
    }
  }

  /// Changes a song and leaves it unsaved. The context keeps objects with changes.
  private static func change(in context: NSManagedObjectContext) throws {
    try context.performAndWait {
      let request = NSFetchRequest<Song>(entityName: "Song")
      request.fetchLimit = 1
      try context.fetch(request).first?.stars = 5
    }
  }
}
