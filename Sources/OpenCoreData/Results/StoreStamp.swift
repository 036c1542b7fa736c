/// A stamp that differs between two states of a coordinator's stores.
enum StoreStamp {
  /// Nil if one of the stores has nothing that a cache could be compared with.
  static func text(of all: [NSPersistentStore], _ affected: [NSPersistentStore]?) -> String? {
    var parts: [String] = []
    for store in all where affected?.contains(where: { $0 === store }) ?? true {
      guard let stamp = store.stateStamp() else { return nil }
      parts.append("\(store.identifier ?? "") \(stamp)")
    }
    return parts.joined(separator: "\n")
  }
}
