import Foundation

extension NSPersistentStoreCoordinator {
  /// The latest place in the history of the given stores, or of all stores of the coordinator; nil when none has a history.
  public final func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    let wanted = stores?.compactMap { $0 as? NSPersistentStore }
    var places: [String: HistoryPlace] = [:]
    for store in persistentStores where wanted?.contains(where: { $0 === store }) ?? true {
      let place = try? (store as? any HistoryStore)?.latestHistoryPlace()
      if let place { places[store.identifier] = place }
    }
    return places.isEmpty ? nil : NSPersistentHistoryToken(places)
  }
}
