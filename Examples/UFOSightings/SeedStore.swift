import CoreData

/// A store that is shipped with a program, full already. An app finds it by
/// `Bundle.main.url(forResource: "Seed", withExtension: "sqlite")`.
struct SeedStore {
  let url: URL

  /// Makes a seed of a store: a copy, and that without a log, since what is shipped cannot be written.
  ///
  /// - Throws: What copying and opening throw.
  func make(from store: URL) async throws {
    try replace(url, with: store)
    let container = try await Stack.open(url, isShipped: true)
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  /// Puts a copy in the place of the program's own store, if that is not there yet: when the program runs for the first time.
  ///
  /// - Returns: Whether there was a copy to be made.
  /// - Throws: What copying throws.
  func install(at store: URL) throws -> Bool {
    if FileManager.default.fileExists(atPath: store.path) { return false }
    try replace(store, with: url)
    return true
  }

  private func replace(_ destination: URL, with source: URL) throws {
    let coordinator = NSPersistentContainer(name: "UFOSightings").persistentStoreCoordinator
    try coordinator.replacePersistentStore(at: destination, withPersistentStoreFrom: source, type: .sqlite)
  }
}
