import CoreData
import Foundation
import Synchronization

@_spi(Store) @testable import OpenCoreData

/// Items in folders. Every change of one gives it a stamp that is given once, and values made of it: a row that is half
/// of one save and half of another shows at once.
final class ItemWorld: Sendable {
  let saved = SavedItems()
  private let stamp = Atomic<Int>(0), number = Atomic<Int>(0)
  private let counts = Mutex<[String: Int]>([:])
  private let found = Mutex<[String]>([])
  /// Stamps given in child contexts, which may turn up in the parent at any time.
  let stampsOfChildren = Mutex<Set<Int>>([])
  /// What was saved through each of the two coordinators, and waits to be merged by contexts of the other.
  let ofFirst = SaveQueue(), ofSecond = SaveQueue()

  static func model() -> NSManagedObjectModel {
    func entity(_ name: String) -> NSEntityDescription {
      let entity = TestModel.entity(
        name,
        ["number", "stamp", "value"].map { TestModel.attribute($0, .integer64AttributeType) } + [
          TestModel.attribute("text", .stringAttributeType)
        ])
      entity.uniquenessConstraints = [["number"]]
      return entity
    }
    let item = entity("Item"), folder = entity("Folder")
    TestModel.relate(folder, "items", max: 0, item, "folder", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [item, folder]
    return model
  }

  static func value(_ number: Int, _ stamp: Int) -> Int { number &* 1_000_003 &+ stamp &* 7919 }

  static func text(_ number: Int, _ stamp: Int) -> String { "item \(number) as of \(stamp)" }

  func nextStamp() -> Int { stamp.wrappingAdd(1, ordering: .relaxed).newValue }

  func nextNumber() -> Int { number.wrappingAdd(1, ordering: .relaxed).newValue }

  /// No number is above.
  var lastNumber: Int { number.load(ordering: .relaxed) }

  // MARK: What happens

  func count(_ what: String, _ times: Int = 1) { counts.withLock { $0[what, default: 0] += times } }

  func count(of what: String) -> Int { counts.withLock { $0[what] ?? 0 } }

  var summary: String {
    counts.withLock { $0.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ") }
  }

  /// Notes what must not be. It is recorded at the end, by the test's own thread.
  func report(_ problem: String) { found.withLock { $0.append(problem) } }

  func expect(_ isRight: Bool, _ problem: @autoclosure () -> String) {
    if !isRight { report(problem()) }
  }

  var problems: [String] { found.withLock { $0 } }
}

/// What one save has changed, as another process would be told.
struct SavedURIs: Sendable {
  let inserted: [URL], updated: [URL], deleted: [URL]

  /// - Parameter notification: of the IDs that were saved.
  init(_ notification: Notification) {
    func uris(_ key: String) -> [URL] {
      (notification.userInfo?[key] as? Set<NSManagedObjectID> ?? []).map { $0.uriRepresentation() }
    }
    inserted = uris(NSInsertedObjectIDsKey)
    updated = uris(NSUpdatedObjectIDsKey)
    deleted = uris(NSDeletedObjectIDsKey)
  }

  var changes: [AnyHashable: Any] {
    [NSInsertedObjectsKey: inserted, NSUpdatedObjectsKey: updated, NSDeletedObjectsKey: deleted]
  }
}

/// Saves that wait to be merged elsewhere.
final class SaveQueue: Sendable {
  private let waiting = Mutex<[SavedURIs]>([])

  func add(_ uris: SavedURIs) { waiting.withLock { $0.append(uris) } }

  func take(_ count: Int = .max) -> [SavedURIs] {
    waiting.withLock { waiting in
      let taken = Array(waiting.prefix(count))
      waiting.removeFirst(taken.count)
      return taken
    }
  }
}

extension NSManagedObject {
  var itemNumber: Int? { value(forKey: "number") as? Int }
  var itemStamp: Int? { value(forKey: "stamp") as? Int }
  var folder: NSManagedObject? { value(forKey: "folder") as? NSManagedObject }

  /// Whether the folder is another than the row's.
  var setsFolder: Bool { changedValues()["folder"] != nil }
  var items: [NSManagedObject] {
    (value(forKey: "items") as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
  }

  /// What the object was when it was read: one of its values.
  func committed(_ key: String) -> Int? { committedValues(forKeys: [key])[key] as? Int }

  /// The row's key in the store.
  var rowKey: Int? { Int(objectID.uriRepresentation().lastPathComponent.dropFirst()) }
}
