/// A text that differs between two states of a coordinator's stores.
enum StoreStamp {
  /// Returns nil if one of the stores has no stamp with which a cache could be compared.
  static func text(of all: [NSPersistentStore], _ affected: [NSPersistentStore]?) -> String? {
    var parts: [String] = []
    for store in all where affected?.contains(where: { $0 === store }) ?? true {
      guard let stamp = store.stateStamp() else { return nil }
      parts.append("\(store.identifier ?? "") \(stamp)")
    }
    return parts.joined(separator: "\n")
  }
}
