/// The objects of a document by the ids that it gives them. Exports give ids such as `Person/p17`, whose numbers are dense:
/// these take eight bytes each, however long the names are.
struct ImportedIDs {
  /// An object: the number of its entity in the model, and how many objects of its root entity come before it.
  struct Object: Equatable {
    let entity: UInt32
    let number: UInt32
  }

  /// The objects whose ids begin with the same name, by the numbers in their ids. Zero is no object.
  private struct Table {
    let name: [UInt8]
    var words: [UInt64] = []
  }

  private var tables: [Table] = []
  private var tableNumbers: [[UInt8]: Int] = [:]
  private var others: [String: Object] = [:]
  private var count = 0
  /// The number of words in all tables together.
  private var room = 0

  /// Notes the object of an id; false if the id has one already.
  mutating func add(_ id: String, _ object: Object) -> Bool {
    count += 1
    // An id may have come when its number was too great for a table.
    if !others.isEmpty, others[id] != nil { return false }
    let word = UInt64(object.entity) << 32 | UInt64(object.number) + 1
    var id = id
    let isNew = id.withUTF8 { bytes -> Bool? in
      guard let (length, number) = Self.parts(bytes) else { return nil }
      let known = table(bytes[..<length])
      let more = max(0, number + 1 - (known.map { tables[$0].words.count } ?? 0))
      // The tables stay in proportion to the ids, whatever these are.
      guard room + more <= 4 * count + 1000 else { return nil }
      room += more
      let place = known ?? addTable(bytes[..<length])
      if more > 0 { tables[place].words.append(contentsOf: repeatElement(0, count: more)) }
      if tables[place].words[number] != 0 { return false }
      tables[place].words[number] = word
      return true
    }
    return isNew ?? (others.updateValue(object, forKey: id) == nil)
  }

  subscript(_ id: String) -> Object? {
    var text = id
    let word = text.withUTF8 { bytes -> UInt64 in
      guard let (length, number) = Self.parts(bytes), let place = table(bytes[..<length]),
        number < tables[place].words.count
      else { return 0 }
      return tables[place].words[number]
    }
    guard word != 0 else { return others.isEmpty ? nil : others[id] }
    return Object(entity: UInt32(word >> 32), number: UInt32(truncatingIfNeeded: word) - 1)
  }

  private typealias Name = Slice<UnsafeBufferPointer<UInt8>>

  private func table(_ name: Name) -> Int? {
    // Exports have a name for each entity.
    tables.count <= 16 ? tables.firstIndex { $0.name.elementsEqual(name) } : tableNumbers[Array(name)]
  }

  private mutating func addTable(_ name: Name) -> Int {
    tableNumbers[Array(name)] = tables.count
    tables.append(Table(name: Array(name)))
    return tables.count - 1
  }

  /// Returns the length of the name and the number of an id such as `Person/p17`, if no other id has the same parts. Names that
  /// are not ASCII are left out: two of them may be equal though their bytes differ.
  private static func parts(_ id: UnsafeBufferPointer<UInt8>) -> (length: Int, number: Int)? {
    var length = id.count, number = 0, factor = 1, digit = 0
    while length > 0, factor <= 1_000_000_000 {
      guard case UInt8(ascii: "0")...UInt8(ascii: "9") = id[length - 1] else { break }
      digit = Int(id[length - 1] - UInt8(ascii: "0"))
      number += digit * factor
      factor *= 10
      length -= 1
    }
    guard factor > 1, digit != 0, length > 0, id[length - 1] == UInt8(ascii: "p"),
      id[..<length].allSatisfy({ $0 < 0x80 })
    else { return nil }
    return (length, number)
  }
}
