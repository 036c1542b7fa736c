import CoreData
import Testing

/// Three contexts one above the other, all private so that tests need no main loop: the one at the top writes.
struct Tree {
  let coordinator: NSPersistentStoreCoordinator
  let root: NSManagedObjectContext
  let middle: NSManagedObjectContext
  let leaf: NSManagedObjectContext

  init(_ coordinator: NSPersistentStoreCoordinator) {
    self.coordinator = coordinator
    root = TestModel.context(coordinator)
    middle = Self.child(of: root)
    leaf = Self.child(of: middle)
  }

  init(_ store: TestStore = .sqlite, _ model: NSManagedObjectModel = Society.model(), url: URL? = nil) throws {
    self.init(try store.coordinator(model, url: url))
  }

  static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    return child
  }

  /// Saves the level of that context and all above it.
  static func saveUp(_ context: NSManagedObjectContext) throws {
    var next: NSManagedObjectContext? = context
    while let level = next {
      try level.performAndWait { try level.save() }
      next = level.parent
    }
  }
}

extension NSManagedObjectContext {
  /// Runs `body` inside of the context, with the context.
  func inside<Result>(_ body: (NSManagedObjectContext) throws -> Result) throws -> Result {
    try performAndWait { try body(self) }
  }
}
