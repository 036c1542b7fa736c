/// The objects of a document by the ids that it gives them. Exports give ids such as `Person/p17`, whose numbers are dense:
/// these take eight bytes each, however long the names are.
struct ImportedIDs {
  /// An object: the number of its entity in the model, and how many objects of its root entity come before it.
  struct Object: Equatable {
    let entity: UInt32
    let number: UInt32
  }

  private var dense: [Substring: [UInt64]] = [:]
  private var others: [String: Object] = [:]
  private var count = 0
  /// The number of words in all tables together.
  private var room = 0

  /// Notes the object of an id; false if the id has one already.
  mutating func add(_ id: String, _ object: Object) -> Bool {
    count += 1
    guard let (name, number) = Self.parts(id), hasRoom(for: number, of: name) else {
      return others.updateValue(object, forKey: id) == nil
    }
    // An id may have come when its number was too great for a table.
    if !others.isEmpty, others[id] != nil { return false }
    var isNew = false
    room += max(0, number + 1 - (dense[name]?.count ?? 0))
    // Zero is no object.
    let word = UInt64(object.entity) << 32 | UInt64(object.number) + 1
    dense[name, default: []].withRoom(for: number) { known in
      isNew = known == 0
      known = word
    }
    return isNew
  }

  /// Whether the tables stay in proportion to the ids, whatever these are.
  private func hasRoom(for number: Int, of name: Substring) -> Bool {
    room + max(0, number + 1 - (dense[name]?.count ?? 0)) <= 4 * count + 1000
  }

  subscript(_ id: String) -> Object? {
    if let (name, number) = Self.parts(id), let table = dense[name], number < table.count, table[number] != 0 {
      return Object(entity: UInt32(table[number] >> 32), number: UInt32(truncatingIfNeeded: table[number]) - 1)
    }
    return others.isEmpty ? nil : others[id]
  }

  /// Returns the parts of an id such as `Person/p17`, if no other id has the same parts.
  private static func parts(_ id: String) -> (Substring, Int)? {
    let bytes = id.utf8
    var index = bytes.endIndex, number = 0, factor = 1, digit = 0
    while index > bytes.startIndex, factor <= 1_000_000_000 {
      let before = bytes.index(before: index)
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = bytes[before] else { break }
      digit = Int(bytes[before] - UInt8(ascii: "0"))
      number += digit * factor
      factor *= 10
      index = before
    }
    guard factor > 1, digit != 0, index > bytes.startIndex, bytes[bytes.index(before: index)] == UInt8(ascii: "p")
    else { return nil }
    return (id[..<index], number)
  }
}

extension [UInt64] {
  /// Calls `body` with the word at a place, up to which the array is filled with zeros.
  fileprivate mutating func withRoom(for place: Int, _ body: (inout UInt64) -> Void) {
    if place >= count { append(contentsOf: repeatElement(0, count: place + 1 - count)) }
    body(&self[place])
  }
}
