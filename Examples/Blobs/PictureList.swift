import CoreData
import Foundation

/// A list of pictures, newest first, and what one does with it. A context belongs to each.
struct PictureList {
  /// The number of lines that a list shows at once.
  static let screen = 20

  let context: NSManagedObjectContext
  let design: Design

  /// What a piece of work met: a list of the titles, or bytes of pictures.
  struct Found: Codable, Equatable {
    var pictures = 0
    /// The characters of all titles that were read.
    var characters = 0
    /// The bytes of the pictures or thumbnails that were read.
    var bytes = 0
  }

  /// Fetches all pictures as objects, and reads their titles: each row with all that is in it.
  func titles() throws -> Found { try read(batchSize: 0) { _ in 0 } }

  /// The same in batches of a screen: all keys, and rows as the list comes to them; here to its end.
  func titlesInBatches() throws -> Found { try read(batchSize: Self.screen) { _ in 0 } }

  /// The same as dictionaries, for which a statement names the columns that are read.
  func titlesAlone() throws -> Found {
    let request = NSFetchRequest<NSDictionary>(entityName: design.entityName)
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["title"]
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
    let titles = try context.fetch(request).compactMap { $0["title"] as? String }
    return Found(pictures: titles.count, characters: titles.reduce(0) { $0 + $1.count })
  }

  /// The list with its small pictures, in batches.
  func thumbnails() throws -> Found { try read(batchSize: Self.screen) { $0.thumbnail?.count ?? 0 } }

  /// Opens the pictures of the first screen, one after another.
  func open() throws -> Found { try read(batchSize: Self.screen, limit: Self.screen) { try $0.picture()?.count ?? 0 } }

  /// Reads every picture; for the check of a copy.
  func all() throws -> Found { try read(batchSize: Self.screen) { try $0.picture()?.count ?? 0 } }

  /// Changes the title of the pictures of the first screen, and saves after each.
  func rename() throws -> Found {
    let pictures = try context.fetch(request(limit: Self.screen))
    var found = Found()
    for picture in pictures.compactMap({ $0 as? any NSManagedObject & Picture }) {
      // Longer than before: a row of another length is written anew as a whole.
      picture.title = "\(picture.title ?? ""), seen"
      try context.save()
      found.pictures += 1
      found.characters += picture.title?.count ?? 0
    }
    return found
  }

  /// Deletes the older half, and saves once.
  func delete() throws -> Found {
    let pictures = try context.fetch(request())
    for picture in pictures.dropFirst(pictures.count / 2) { context.delete(picture) }
    try context.save()
    return Found(pictures: pictures.count - pictures.count / 2)
  }

  private func request(batchSize: Int = 0, limit: Int = 0) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: design.entityName)
    request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
    request.fetchBatchSize = batchSize
    request.fetchLimit = limit
    return request
  }

  private func read(
    batchSize: Int, limit: Int = 0, _ bytes: (any NSManagedObject & Picture) throws -> Int
  ) throws -> Found {
    var found = Found()
    for case let picture as any NSManagedObject & Picture in try context.fetch(
      request(batchSize: batchSize, limit: limit))
    {
      found.pictures += 1
      found.characters += picture.title?.count ?? 0
      found.bytes += try bytes(picture)
    }
    return found
  }
}
