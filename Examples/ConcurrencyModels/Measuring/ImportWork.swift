import CoreData

/// Imports songs, and saves after each part of them.
struct ImportWork: Sendable {
  /// The numbers of the songs.
  let numbers: Range<Int>
  /// The number of songs in a save.
  let part: Int

  /// - Parameter each: Called on the main queue after every save with the number of songs so far.
  /// - Throws: The errors of saving.
  @MainActor func run(in contexts: any ArrangedContexts, each: (Int) -> Void) async throws {
    let importer = contexts.importer
    for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: part) {
      let part = start..<min(start + part, numbers.upperBound)
      // Behind what waits: with a context of the main queue, the list and the person have their turn between two parts.
      try await importer.perform(schedule: .enqueued) {
        SongValues.insert(part, into: importer)
        try contexts.saveImported()
      }
      try contexts.passOn()
      each(part.upperBound - numbers.lowerBound)
    }
  }
}
