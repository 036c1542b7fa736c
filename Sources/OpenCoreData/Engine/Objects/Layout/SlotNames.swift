/// Finds the ordinal of a property by its name, in most cases without hashing the name.
///
/// Two strings of the same two words are the same string. A short string is wholly contained in its words, so properties
/// of up to 15 letters are found by them. Any other string is looked up in a dictionary.
package struct SlotNames: @unchecked Sendable {  // immutable after init
  private typealias Words = (UInt64, UInt64)

  private let ordinals: [String: Int]
  /// A table with open addressing. `ordinals` keeps the names alive, so that no other string can get the words of one of
  /// them.
  private let table: ContiguousArray<(words: Words, ordinal: Int)>
  private let mask: Int

  package init(_ names: some Sequence<String>) {
    ordinals = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    var size = 8
    while size < ordinals.count * 2 { size *= 2 }
    mask = size - 1
    var table = ContiguousArray<(words: Words, ordinal: Int)>(repeating: ((0, 0), -1), count: size)
    for (name, ordinal) in ordinals {
      let words = unsafeBitCast(name, to: Words.self)
      var place = Self.hash(words) & mask
      while table[place].ordinal >= 0 { place = (place + 1) & mask }
      table[place] = (words, ordinal)
    }
    self.table = table
  }

  private static func hash(_ words: Words) -> Int {
    let mixed = (words.0 ^ words.1 &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
    return Int(truncatingIfNeeded: mixed >> 32)
  }

  package subscript(name: String) -> Int? {
    let words = unsafeBitCast(name, to: Words.self)
    var place = Self.hash(words) & mask
    while table[place].ordinal >= 0 {
      if table[place].words == words { return table[place].ordinal }
      place = (place + 1) & mask
    }
    return ordinals[name]
  }
}
