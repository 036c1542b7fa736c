import CoreData
import ExampleSupport
import Foundation

/// What goes wrong where a word's store notes the URI of a sighting too early.
struct Mistakes: Codable, Equatable {
  /// The sightings whose URIs were noted.
  var noted = 0
  /// Those that are found again by the URI that they had before the first save, and by the one that they have since.
  var foundByTemporary = 0
  var foundByPermanent = 0

  /// Inserts sightings, notes their URIs before the save and after it, and looks for both in a new stack.
  ///
  /// - Throws: The errors of opening, saving and fetching.
  @MainActor static func temporaryURIs(in folder: URL) async throws -> Mistakes {
    let url = folder.appending(path: "Mistakes.sqlite")
    let context = try await Stack.container(Model.search, [(nil, url)]).viewContext
    let sightings = (0..<5).map { number in
      let sighting = Sighting(context: context)
      sighting.place = SightingRecord(number: number).place
      return sighting
    }
    let temporary = sightings.map { $0.objectID.uriRepresentation() }
    try context.save()
    let permanent = sightings.map { $0.objectID.uriRepresentation() }
    let other = try await Stack.container(Model.search, [(nil, url)]).viewContext
    return Mistakes(
      noted: sightings.count, foundByTemporary: found(temporary, in: other),
      foundByPermanent: found(permanent, in: other))
  }

  @MainActor private static func found(_ uris: [URL], in context: NSManagedObjectContext) -> Int {
    uris.count { uri in
      guard let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else {
        return false
      }
      return (try? context.existingObject(with: id)) != nil
    }
  }
}
