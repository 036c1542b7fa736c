import Foundation
import OpenCocoaFoundation

/// The dictionary that a batch insert's handler fills in. It keeps the values of attributes as they are, by their places.
///
/// Foundation's dictionary turns each key and each value into an object and back, which takes fifteen times as long as
/// writing the row. Other keys than those of attributes are kept in a dictionary of Foundation, and values are read through
/// one, so that they have the same types as values in such a dictionary.
package final class BatchRowDictionary: NSMutableDictionary {
  private var names = AttributeNames([])
  @exclusivity(unchecked) private var values: ContiguousArray<Any?> = []
  @exclusivity(unchecked) private var given = 0
  /// The place of the attribute that is probably set next: most rows get their values in the same order.
  @exclusivity(unchecked) private var next = 0
  private var others: NSMutableDictionary?

  /// The names of the attributes that a row may have, with their places.
  package final class AttributeNames: Sendable {
    package let all: ContiguousArray<String>
    private let places: [String: Int]

    package init(_ all: ContiguousArray<String>) {
      self.all = all
      places = Dictionary(zip(all, 0...), uniquingKeysWith: { first, _ in first })
    }

    package func place(of name: String) -> Int? { places[name] }
  }

  package convenience init(_ names: AttributeNames) {
    self.init(capacity: 0)
    self.names = names
    values = ContiguousArray(repeating: nil, count: names.all.count)
  }

  // MARK: For the row

  /// Returns the value that was given for the attribute at a place.
  @inline(__always)
  package func given(at place: Int) -> Any? { values[place] }

  /// How many attributes have a value.
  package var givenCount: Int { given }

  /// The values that were given for other keys than those of attributes, with the key as a name.
  package var rest: [(name: String, value: Any)] {
    guard let others else { return [] }
    return others.map { (Self.string($0.key) ?? "\($0.key)", $0.value) }
  }

  // MARK: Keys

  private static func string(_ key: Any) -> String? {
    if let string = ExactValue.string(key) { return string }
    if let hashable = key as? AnyHashable, let string = ExactValue.string(hashable.base) { return string }
    return key as? String
  }

  private func place(_ key: Any) -> Int? { Self.string(key).flatMap { names.place(of: $0) } }

  // MARK: What the superclass is built on

  package override var count: Int { given + (others?.count ?? 0) }

  package override func setObject(_ anObject: Any, forKey aKey: AnyHashable) {
    let key = aKey.base
    if let name = ExactValue.string(key), next < names.all.count, names.all[next] == name {
      set(anObject, at: next)
    } else if let place = place(key) {
      set(anObject, at: place)
    } else {
      let others = others ?? NSMutableDictionary()
      self.others = others
      others.setObject(anObject, forKey: aKey)
    }
  }

  @inline(__always)
  private func set(_ value: Any, at place: Int) {
    if values[place] == nil { given += 1 }
    values[place] = value
    next = place + 1 < values.count ? place + 1 : 0
  }

  package override func removeObject(forKey aKey: Any) {
    guard let place = place(aKey) else {
      others?.removeObject(forKey: aKey)
      return
    }
    if values[place] != nil { given -= 1 }
    values[place] = nil
  }

  package override func object(forKey aKey: Any) -> Any? {
    guard let place = place(aKey) else { return others?.object(forKey: aKey) }
    guard let value = values[place] else { return nil }
    let dictionary = NSMutableDictionary()
    dictionary.setObject(value, forKey: names.all[place])
    return dictionary.object(forKey: names.all[place])
  }

  package override func keyEnumerator() -> NSEnumerator {
    let keys = names.all.indices.lazy.filter { self.values[$0] != nil }.map { self.names.all[$0] }
    return NSArray(array: Array(keys) + (others?.allKeys ?? [])).objectEnumerator()
  }

  package override func removeAllObjects() {
    for place in values.indices { values[place] = nil }
    (given, next, others) = (0, 0, nil)
  }

  package override func isEqual(_ value: Any?) -> Bool {
    guard let other = value as? BatchRowDictionary else { return NSDictionary(copying: self).isEqual(value) }
    return other === self || NSDictionary(copying: self).isEqual(NSDictionary(copying: other))
  }

  package override var hash: Int { count }

  package override var classForCoder: AnyClass { NSMutableDictionary.self }
}

extension NSDictionary {
  /// Makes a dictionary of Foundation's own class with the same contents.
  fileprivate convenience init(copying row: BatchRowDictionary) {
    let keys = row.allKeys.compactMap { $0 as? AnyHashable }
    self.init(dictionary: Dictionary(keys.map { ($0, row.object(forKey: $0) as Any) }, uniquingKeysWith: { $1 }))
  }
}
