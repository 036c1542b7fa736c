/// A stamp that differs between two states of a coordinator's stores.
enum StoreStamp {
  /// Returns the stamps of the stores as one text; nil if one of the stores has no stamp.
  static func text(of all: [NSPersistentStore], _ affected: [NSPersistentStore]?) -> String? {
    var parts: [String] = []
    for store in all where affected?.contains(where: { $0 === store }) ?? true {
      guard let stamp = store.stateStamp() else { return nil }
      parts.append("\(store.identifier ?? "") \(stamp)")
    }
    return parts.joined(separator: "\n")
  }
}
