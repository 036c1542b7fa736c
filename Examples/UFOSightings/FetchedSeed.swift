import CoreData

/// The seed that was fetched, in a folder: a store that is only read, beside the user's own. A newer one replaces it while the
/// program goes on; the user's objects are in the other store, and stay.
@MainActor struct FetchedSeed {
  let folder: URL
  let container: NSPersistentContainer

  /// The user's own store.
  private static func own(in folder: URL) -> URL { folder.appending(path: "Own.sqlite") }
  /// The manifest of the seed that is used.
  private static func note(in folder: URL) -> URL { folder.appending(path: "Shipped.json") }
  private static func store(_ manifest: SeedManifest, in folder: URL) -> URL {
    folder.appending(path: "Shipped-\(manifest.digest.prefix(16)).sqlite")
  }

  /// The manifest of the seed that is used; nil if none has been installed yet.
  static func manifest(in folder: URL) throws -> SeedManifest? {
    let note = note(in: folder)
    if !FileManager.default.fileExists(atPath: note.path) { return nil }
    return try SeedManifest(reading: Data(contentsOf: note), from: note.path)
  }

  /// Opens the user's own store, and the seed if there is one.
  ///
  /// - Throws: The errors of opening them.
  static func open(in folder: URL) throws -> FetchedSeed {
    let container = NSPersistentContainer(name: "UFOSightings")
    let own = NSPersistentStoreDescription(url: own(in: folder))
    own.configuration = "Own"
    container.persistentStoreDescriptions = [own]
    if let manifest = try manifest(in: folder) {
      container.persistentStoreDescriptions.append(description(store(manifest, in: folder)))
    }
    // Without the option to do so later, stores are added before the call returns, one after the other.
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = failure ?? error }
    if let failure { throw failure }
    return FetchedSeed(folder: folder, container: container)
  }

  private static func description(_ store: URL) -> NSPersistentStoreDescription {
    let description = NSPersistentStoreDescription(url: store)
    description.configuration = "Shipped"
    description.isReadOnly = true
    return description
  }

  /// Takes a file that was downloaded and checked as the seed, in the place of the present one.
  ///
  /// Whenever the program ends, the note names a seed that is whole. What no note names is removed by the next call. Contexts take
  /// no part in the coordinator's blocks, so the exchange is made on the queue of the only context that reads the seed.
  ///
  /// - Throws: A `SeedFailure` if the file is no store of this program's model; the errors of moving and opening. The present
  ///   seed is used then, as before.
  func install(_ manifest: SeedManifest, from part: URL) throws {
    try check(part, container.persistentStoreCoordinator.managedObjectModel)
    let store = Self.store(manifest, in: folder)
    if FileManager.default.fileExists(atPath: store.path) { try FileManager.default.removeItem(at: store) }
    try FileManager.default.moveItem(at: part, to: store)
    let note = Self.note(in: folder)
    let noted = FileManager.default.fileExists(atPath: note.path) ? try Data(contentsOf: note) : nil
    try manifest.data().write(to: note, options: .atomic)
    do {
      try exchange(for: store)
    } catch {
      if let noted { try noted.write(to: note, options: .atomic) } else { try FileManager.default.removeItem(at: note) }
      throw error
    }
    // Objects of the seed that is gone are let go; what the user has changed and not saved stays.
    container.viewContext.refreshAllObjects()
    try removeOthers(than: store)
  }

  /// Removes the store that the coordinator has for the seed, and adds another one.
  private func exchange(for store: URL) throws {
    let coordinator = container.persistentStoreCoordinator
    let old = coordinator.persistentStores.filter { $0.configurationName == "Shipped" }
    func add(_ url: URL) throws {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: "Shipped", at: url,
        options: [NSReadOnlyPersistentStoreOption: true])
    }
    for each in old { try coordinator.remove(each) }
    do {
      try add(store)
    } catch {
      for url in old.compactMap(\.url) { try add(url) }
      throw error
    }
  }

  private func check(_ part: URL, _ model: NSManagedObjectModel) throws {
    let metadata: [String: Any]
    do {
      metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: part)
    } catch {
      throw SeedFailure("The seed is no store: \(error.localizedDescription)")
    }
    if !model.isConfiguration(withName: "Shipped", compatibleWithStoreMetadata: metadata) {
      throw SeedFailure("The seed was made for another version of the program's model.")
    }
  }

  /// Removes seeds and notes of downloads that are not used any more.
  private func removeOthers(than store: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let isSeed = name.hasPrefix("Shipped-") && !name.hasPrefix(store.lastPathComponent)
      if isSeed || name.hasPrefix("Seed.download") {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
    }
  }
}
