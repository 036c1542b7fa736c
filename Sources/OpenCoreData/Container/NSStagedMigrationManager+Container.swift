import Foundation

extension NSStagedMigrationManager {
  /// A container with the store in its current version, while the handler of a stage runs; nil otherwise.
  public final var container: NSPersistentContainer? {
    guard let stack else { return nil }
    if let known = stack.container as? NSPersistentContainer { return known }
    let container = NSPersistentContainer(
      name: stack.place.url.deletingPathExtension().lastPathComponent, coordinator: stack.coordinator)
    let description = NSPersistentStoreDescription(url: stack.place.url)
    description.type = stack.place.type
    description.configuration = stack.configuration
    for case (let key as String, let value) in stack.options {
      description.setOption(value as AnyObject as? NSObject, forKey: key)
    }
    // A new description has these options on, so they are turned off here.
    for key in MigrationPlace.automaticOptions.prefix(2) { description.setOption(NSNumber(value: false), forKey: key) }
    container.persistentStoreDescriptions = [description]
    stack.container = container
    return container
  }
}
