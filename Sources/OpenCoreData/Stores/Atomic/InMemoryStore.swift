import Foundation
import OpenCocoaFoundation

/// A store that has no place but memory; a coordinator's each have their own.
final class InMemoryStore: NSAtomicStore, @unchecked Sendable {  // as NSAtomicStore
  private var lastReference: Int64 = 0

  override class func placeWithoutURL() throws -> URL { URL(fileURLWithPath: "/dev/null") }

  override func load() throws {
    metadata = [NSStoreTypeKey: NSInMemoryStoreType, NSStoreUUIDKey: UUID().uuidString]
  }

  override func save() throws {}

  override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
    locked {
      lastReference += 1
      return NSNumber(value: lastReference)
    }
  }
}
