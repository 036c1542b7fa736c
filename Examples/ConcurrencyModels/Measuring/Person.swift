import CoreData
import ExampleSupport

/// Somebody who gives songs on the screen other stars, at a steady pace, and saves each time.
@MainActor final class Person {
  private let list: SongList
  private let contexts: any ArrangedContexts
  private var random = SeededGenerator(seed: 1)
  private var work: Task<Void, any Error>?

  /// The stars that were given last, by the URI of the song.
  private(set) var given: [URL: Int64] = [:]
  /// The number of edits.
  private(set) var edits = 0
  /// The longest time of an edit with its save, in seconds. The main queue does nothing else meanwhile.
  private(set) var longest = 0.0

  init(_ list: SongList, _ contexts: any ArrangedContexts) {
    self.list = list
    self.contexts = contexts
  }

  /// Begins to edit; with a pause of zero, nothing is edited.
  func begin(every pause: Duration) {
    guard pause > .zero else { return }
    work = Task {
      while !Task.isCancelled {
        try edit()
        try? await Task.sleep(for: pause)
      }
    }
  }

  /// Stops editing.
  ///
  /// - Throws: The errors of the edits.
  func stop() async throws {
    work?.cancel()
    try await work?.value
    work = nil
  }

  private func edit() throws {
    let begin = ContinuousClock.now
    let songs = list.onScreen
    guard let song = songs.randomElement(using: &random) else { return }
    song.stars = (song.stars + 1) % 6
    try contexts.saveEdit()
    edits += 1
    longest = max(longest, begin.duration(to: .now) / .seconds(1))
    // What is new in the list of a nested context may have a temporary ID still, which says nothing to others.
    if !song.objectID.isTemporaryID { given[song.objectID.uriRepresentation()] = song.stars }
  }

  /// Returns the number of songs whose stars in the store are those that were given last.
  ///
  /// - Throws: The errors of reading.
  func found(in context: NSManagedObjectContext) throws -> Int {
    try given.count { uri, stars in
      guard let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri) else {
        return false
      }
      return try (context.existingObject(with: id) as? Song)?.stars == stars
    }
  }
}
