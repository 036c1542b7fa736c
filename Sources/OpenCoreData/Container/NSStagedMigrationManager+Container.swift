import Foundation

extension NSStagedMigrationManager {
  /// While a stage's handler runs, a container with the store in its version at that moment; nil otherwise.
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
    // Descriptions turn these options on by default.
    for key in MigrationPlace.automaticOptions.prefix(2) { description.setOption(NSNumber(value: false), forKey: key) }
    container.persistentStoreDescriptions = [description]
    stack.container = container
    return container
  }
}
