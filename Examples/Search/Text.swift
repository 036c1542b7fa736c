import Foundation

extension String {
  /// The text without capitals and accents, as the derivation `canonical:` makes it.
  var canonical: String { folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil) }

  /// The words of the text, without capitals and accents.
  var words: Set<String> { Set(canonical.split { !$0.isLetter && !$0.isNumber }.map(String.init)) }
}

/// A hash of all words of a text in one number: a bit for each beginning of a word, of one to four letters.
///
/// A text that has a word with some beginning has all bits of that beginning; the reverse is not so, since several beginnings have
/// the same bit. A search by the number leaves few texts, and compares these.
enum Signature {
  private static let longest = 4

  static func of(_ text: String) -> Int64 {
    text.words.reduce(0) { bits, word in
      (1...longest).reduce(bits) { word.count < $1 ? $0 : $0 | bit(of: word.prefix($1)) }
    }
  }

  /// The bits that a text has which has a word with this beginning.
  static func ofBeginning(_ beginning: String) -> Int64 {
    let beginning = beginning.canonical
    return (1...longest).reduce(0) { beginning.count < $1 ? $0 : $0 | bit(of: beginning.prefix($1)) }
  }

  /// One of 63 bits. The function is the same in each run, which Swift's own hashes are not.
  private static func bit(of text: Substring) -> Int64 {
    let hash = text.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return 1 << Int64((hash ^ hash >> 29) % 63)
  }
}
