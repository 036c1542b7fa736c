import CoreData
import Foundation
import Synchronization

@_spi(Store) @testable import OpenCoreData

/// One of the contexts, and what its driver knows of the changes that wait in it.
final class ContextDesk: @unchecked Sendable {  // what can change, and is no lock, belongs to the context's queue
  let name: String
  let context: NSManagedObjectContext
  let world: ItemWorld
  let parent: ContextDesk?
  /// For the watchdog.
  private let doing = Mutex("nothing yet")
  /// Whether child contexts save into this one.
  var hasChildren = false
  /// Whether the context's merge policy gives up what is in conflict, and the save succeeds.
  var givesUpConflicts = false
  var random: SeededGenerator
  /// Changes that were made here and not saved, by the items' numbers.
  var pending: [Int: PendingItem] = [:]
  /// Objects that are kept, and so are to be kept up to date.
  var held: [NSManagedObject] = []
  /// The stamps that the save at work replaces.
  var replaced: [NSManagedObjectID: Int] = [:]
  /// Whether observers are to be told the objects of a save, or their IDs.
  var tellsObjects = false

  struct PendingItem {
    let object: NSManagedObject
    var stamp = 0
    var isDeleted = false
    /// The folder that it was put in; nil if it was in none or stayed in its own.
    var folder: NSManagedObject??
  }

  init(
    _ name: String, _ context: NSManagedObjectContext, _ world: ItemWorld, seed: UInt64, in parent: ContextDesk? = nil
  ) {
    self.name = name
    self.context = context
    self.world = world
    self.parent = parent
    random = SeededGenerator(seed: seed)
    context.name = name
  }

  func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  func note(_ what: String) { doing.withLock { $0 = what } }

  var lastNote: String { "\(name): \(doing.withLock { $0 })" }

  func forget() {
    pending = [:]
    held = []
  }

  // MARK: Looking

  /// Whether the object is one to work with. What it shows must be of one change.
  func isUsable(_ object: NSManagedObject) -> Bool {
    guard object.managedObjectContext === context, !object.isDeleted else { return false }
    let number = object.itemNumber, stamp = object.itemStamp
    let value = object.value(forKey: "value") as? Int, text = object.value(forKey: "text") as? String
    // Its row may have turned out to be gone.
    if object.isDeleted || object.managedObjectContext == nil { return false }
    guard let number, let stamp else {
      world.report("\(name): \(object.objectID) has no number or stamp: \(object)")
      return false
    }
    world.expect(
      value == ItemWorld.value(number, stamp) && text == ItemWorld.text(number, stamp),
      "\(name): item \(number) of stamp \(stamp) has value \(value ?? 0), text \(text ?? "nil")")
    return true
  }

  /// Some object, held or fetched; nil if none was found at the first try.
  func pick(_ entity: String? = nil) throws -> NSManagedObject? {
    let entity = entity ?? (chance(15) ? "Folder" : "Item")
    let isOfHeld = chance(60)
    let found = isOfHeld ? held.filter { $0.entity.name == entity } : try fetchSome(entity)
    guard let object = found.randomElement(using: &random), isUsable(object) else { return nil }
    return object
  }

  private func fetchSome(_ entity: String) throws -> [NSManagedObject] {
    note("fetching some")
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    let pivot = Int.random(in: 0...world.lastNumber, using: &random)
    request.predicate = NSPredicate(format: "number >= %@", NSNumber(value: pivot))
    request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
    request.fetchLimit = 4
    let found = try context.fetch(request)
    world.count("fetches")
    for object in found where !held.contains(object) { held.append(object) }
    held.removeAll { $0.managedObjectContext == nil }
    if held.count > 60 { held.removeFirst(held.count - 60) }
    return found
  }

  /// Looks at what a folder leads to, or a predicate finds.
  func look() throws {
    guard let folder = try pick("Folder") else { return }
    note("looking into a folder")
    if chance(50) {
      for item in folder.items { _ = isUsable(item) }
    } else {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
      request.predicate = NSPredicate(format: "folder == %@", folder)
      request.returnsObjectsAsFaults = chance(50)
      for item in try context.fetch(request) { _ = isUsable(item) }
      world.count("fetches")
    }
  }
}
