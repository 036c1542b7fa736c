import CoreData
import Foundation

/// The mistake: an ID of one coordinator is given to a context of another one, although both have the same file.
struct MixedCoordinators {
  let folder: URL

  /// The mistake beside the right way.
  ///
  /// - Throws: The errors of opening and saving.
  func mistake() async throws -> Mistake {
    let url = folder.appending(path: "mixed.sqlite")
    let first = try Stack.open(at: url).newBackgroundContext(), second = try Stack.open(at: url).newBackgroundContext()
    let id = try await first.perform {
      let song = Song(context: first)
      song.title = "In both"
      try first.save()
      return song.objectID
    }
    let wrong = await TemporaryID.answer(to: id, in: second)
    // Right: the URI names store, entity and row. Each coordinator makes an ID of its own of it.
    let uri = id.uriRepresentation()
    guard let own = second.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else {
      return Mistake(title: Self.title, wrong: wrong, right: "the other coordinator does not know the store of \(uri)")
    }
    return Mistake(title: Self.title, wrong: wrong, right: await TemporaryID.answer(to: own, in: second))
  }

  private static let title = "the IDs of two coordinators mixed"
}
