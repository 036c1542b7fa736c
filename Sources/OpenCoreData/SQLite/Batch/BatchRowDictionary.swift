import Foundation

/// What the dictionary handler of a batch insert fills in.
///
/// It keeps names and values as they come, where Foundation's dictionary makes an object of each, which takes five times as
/// long. Names stay from row to row: those of the next row are found where those of the last one were.
final class BatchRowDictionary: NSMutableDictionary {
  /// The names that rows have given so far; their places do not change.
  @exclusivity(unchecked) private(set) var names: ContiguousArray<String> = []
  /// The row's values by the places of their names; nil for what it does not give.
  @exclusivity(unchecked) private(set) var values: ContiguousArray<Any?> = []
  /// What the row has under keys that are no strings.
  @exclusivity(unchecked) private(set) var others: [AnyHashable: Any] = [:]
  @exclusivity(unchecked) private var valueCount = 0
  /// Where the next name is expected.
  @exclusivity(unchecked) private var next = 0

  /// Starts an empty row.
  func clear() {
    for place in values.indices { values[place] = nil }
    if !others.isEmpty { others.removeAll() }
    (valueCount, next) = (0, 0)
  }

  /// The place of a name.
  private func place(of name: String) -> Int? {
    if next < names.count, names[next] == name { return next }
    return names.firstIndex(of: name)
  }

  private static func name(_ key: Any) -> String? {
    ExactValue.string(key) ?? (key as? String) ?? (key as? NSString).map { String($0) }
  }

  // MARK: What a subclass of Foundation's dictionaries implements

  override var count: Int { valueCount + others.count }

  override func object(forKey aKey: Any) -> Any? {
    guard let name = Self.name(aKey) else { return (aKey as? AnyHashable).flatMap { others[$0] } }
    return place(of: name).flatMap { values[$0] }
  }

  override func keyEnumerator() -> NSEnumerator {
    let given = zip(names, values).compactMap { $1 == nil ? nil : $0 as Any }
    return NSArray(array: given + others.keys.map(\.base)).objectEnumerator()
  }

  override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    guard let name = Self.name(aKey.base) else { return others[aKey] = anObject }
    if let place = place(of: name) {
      if values[place] == nil { valueCount += 1 }
      values[place] = anObject
      next = place + 1
    } else {
      names.append(name)
      values.append(anObject)
      valueCount += 1
      next = names.count
    }
  }

  override func removeObject(forKey aKey: Any) {
    guard let name = Self.name(aKey) else {
      if let key = aKey as? AnyHashable { others[key] = nil }
      return
    }
    guard let place = place(of: name), values[place] != nil else { return }
    values[place] = nil
    valueCount -= 1
  }

  override func removeAllObjects() { clear() }

  override func isEqual(_ value: Any?) -> Bool {
    let other = (value as? BatchRowDictionary)?.copy() ?? value
    return (copy() as? NSDictionary)?.isEqual(other) == true
  }
}
