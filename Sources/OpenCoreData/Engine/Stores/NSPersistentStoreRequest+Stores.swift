import Foundation

extension NSPersistentStoreRequest {
  /// The stores to ask; nil for all of the coordinator.
  public final var affectedStores: [NSPersistentStore]? {
    get { storesToAsk as? [NSPersistentStore] }
    set { storesToAsk = newValue }
  }
}
