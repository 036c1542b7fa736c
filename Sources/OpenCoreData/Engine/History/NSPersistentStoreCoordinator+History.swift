import Foundation

extension NSPersistentStoreCoordinator {
  /// The latest place in the history of the given stores, or of all of the coordinator; nil when none has a history.
  public final func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
    let wanted = stores?.compactMap { $0 as? NSPersistentStore }
    var numbers: [String: Int64] = [:]
    for store in persistentStores where wanted?.contains(where: { $0 === store }) ?? true {
      let number = try? (store as? any HistoryStore)?.latestHistoryNumber()
      if let number { numbers[store.identifier] = number }
    }
    return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
  }
}
