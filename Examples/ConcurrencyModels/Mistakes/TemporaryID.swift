import CoreData
import Foundation

/// The mistake: an object's ID is taken before the object was saved. Another context finds nothing by it.
struct TemporaryID {
  let folder: URL

  /// The mistake beside the right way.
  ///
  /// - Throws: The errors of opening and saving.
  func mistake() async throws -> Mistake {
    let container = try Stack.open(at: folder.appending(path: "temporary.sqlite"))
    let first = container.newBackgroundContext(), second = container.newBackgroundContext()
    let (temporary, permanent) = try await first.perform {
      let song = Song(context: first)
      song.title = "New"
      let temporary = song.objectID  // wrong: it is another one after the save
      try first.obtainPermanentIDs(for: [song])
      let permanent = song.objectID  // right: it stays; the end of the save gives one, too
      try first.save()
      return (temporary, permanent)
    }
    return Mistake(
      title: "an ID used before it is permanent", wrong: await Self.answer(to: temporary, in: second),
      right: await Self.answer(to: permanent, in: second))
  }

  /// The title of the song with that ID, or the error.
  static func answer(to id: NSManagedObjectID, in context: NSManagedObjectContext) async -> String {
    await context.perform {
      do { return try (context.existingObject(with: id) as? Song)?.title ?? "no song" } catch {
        let error = error as NSError
        return "\(error.domain) \(error.code): \(error.localizedDescription)"
      }
    }
  }
}
