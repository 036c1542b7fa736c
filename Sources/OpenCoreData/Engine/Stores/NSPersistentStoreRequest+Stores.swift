import Foundation

extension NSPersistentStoreRequest {
  /// The stores that execute the request; nil for all stores of the coordinator.
  public final var affectedStores: [NSPersistentStore]? {
    get { storesToAsk as? [NSPersistentStore] }
    set { storesToAsk = newValue }
  }
}
