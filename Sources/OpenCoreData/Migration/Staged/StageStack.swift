/// The open store of a staged migration while a handler of a stage runs.
final class StageStack {
  let place: MigrationPlace
  let configuration: String?
  let coordinator: NSPersistentStoreCoordinator
  /// The options that the store is open with.
  let options: [AnyHashable: Any]
  /// The container that was made for the handler over the coordinator.
  var container: AnyObject?

  /// Opens the store, which must have the version of the model.
  /// - Throws: the error of opening the store.
  init(_ place: MigrationPlace, _ configuration: String?, _ model: NSManagedObjectModel) throws {
    (self.place, self.configuration) = (place, configuration)
    var options = place.options ?? [:]
    for key in MigrationPlace.automaticOptions { options[key] = nil }
    options[NSReadOnlyPersistentStoreOption] = nil
    self.options = options
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(try coordinator.open(place.type, configuration, place.url, options))
  }

  func close() {
    // `remove` throws only for stores that the coordinator does not have.
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
  }
}
