import CoreData

/// A store that is shipped with a program and contains objects already. An app finds the store by
/// `Bundle.main.url(forResource: "Seed", withExtension: "sqlite")`.
struct SeedStore {
  let url: URL
  /// Whose entities the store has; nil for the whole model.
  var configuration: String?

  /// Makes a seed from a store: a copy without a log beside it, because a program cannot write to a file that is
  /// shipped with it.
  ///
  /// - Throws: The errors of copying and opening.
  func make(from store: URL) async throws {
    try replace(url, with: store)
    let container = try await Stack.open(url, configuration: configuration, isShipped: true)
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
  }

  /// Copies the seed to the place of the program's own store, if that store does not exist: when the program runs for the first
  /// time.
  ///
  /// - Returns: Whether a copy was made.
  /// - Throws: The errors of copying.
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
