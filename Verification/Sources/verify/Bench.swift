import CoreData

/// Contexts of this process, each of which runs one check: an object needs its own to the end.
nonisolated(unsafe) private var contexts: [NSManagedObjectContext] = []

/// A coordinator with one store in a folder of its own, for one check.
final class Bench {
  let coordinator: NSPersistentStoreCoordinator
  let folder: URL
  let url: URL
  let store: NSPersistentStore

  init(
    _ model: NSManagedObjectModel = People().model, type: String = NSSQLiteStoreType,
    options: [AnyHashable: Any]? = nil
  ) throws {
    folder = try temporaryFolder()
    url = folder.appendingPathComponent("Store.sqlite")
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    store = try coordinator.addPersistentStore(
      ofType: type, configurationName: nil, at: type == NSInMemoryStoreType ? nil : url, options: options)
  }

  /// A context of the main thread, which runs every check.
  func context(_ policy: NSMergePolicy = .error) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.mergePolicy = policy
    contexts.append(context)
    return context
  }
}

func temporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("verify-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

extension NSManagedObjectContext {
  /// Inserts an object with values.
  @discardableResult
  func make(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// All objects of an entity by name.
  func all(_ entity: String, _ predicate: NSPredicate? = nil) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = predicate
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try fetch(request)
  }
}

extension NSManagedObject {
  /// The text under a key, or "nil".
  func text(_ key: String) -> String { value(forKey: key).map { "\($0)" } ?? "nil" }
}

/// "done", or the error's code.
func outcome(_ work: () throws -> Void) -> String {
  do {
    try work()
    return "done"
  } catch {
    return "error \((error as NSError).code)"
  }
}

/// What closures note.
final class Lines: @unchecked Sendable {  // of the main thread alone
  var all: [String] = []
}

/// What observers are told while work is done: of each notification the keys of its user info that are known, sorted.
func told(
  _ name: Notification.Name, of object: Any?, keys: [String], while work: () throws -> Void
) rethrows -> [String] {
  let lines = Lines()
  let token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { note in
    let found = keys.filter { key in
      guard let value = note.userInfo?[key] else { return false }
      return ((value as? NSSet)?.count ?? (value as? Set<NSManagedObject>)?.count ?? 1) > 0
    }
    lines.all.append(found.joined(separator: "+"))
  }
  defer { NotificationCenter.default.removeObserver(token) }
  try work()
  return lines.all
}

/// The keys of `NSManagedObjectContextObjectsDidChange`.
let changeKeys = [
  NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey, NSInvalidatedObjectsKey,
  NSInvalidatedAllObjectsKey,
]
