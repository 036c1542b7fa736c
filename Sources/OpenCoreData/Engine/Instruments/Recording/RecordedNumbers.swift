/// Numbers by word: a word is an object's address or a hash. A table with open addressing; entries are never removed.
struct RecordedNumbers {
  private var keys: [UInt]
  private var numbers: [UInt32]
  private(set) var count = 0

  init(capacity: Int = 256) {
    keys = Array(repeating: 0, count: capacity)
    numbers = Array(repeating: 0, count: capacity)
  }

  /// Returns the number of a word; 0 if it has none.
  @inline(__always)
  func number(of key: UInt) -> UInt32 {
    let mask = keys.count &- 1
    var place = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 20) & mask
    while numbers[place] != 0 {
      if keys[place] == key { return numbers[place] }
      place = (place &+ 1) & mask
    }
    return 0
  }

  /// Gives a word its number, which must not be 0. The word must not have a number yet.
  mutating func set(_ number: UInt32, for key: UInt) {
    if (count + 1) * 2 > keys.count { grow() }
    insert(number, key)
    count += 1
  }

  private mutating func insert(_ number: UInt32, _ key: UInt) {
    let mask = keys.count - 1
    var place = Int(truncatingIfNeeded: (key &* 0x9e37_79b9_7f4a_7c15) >> 20) & mask
    while numbers[place] != 0 { place = (place + 1) & mask }
    keys[place] = key
    numbers[place] = number
  }

  private mutating func grow() {
    let (oldKeys, oldNumbers) = (keys, numbers)
    keys = Array(repeating: 0, count: oldKeys.count * 2)
    numbers = Array(repeating: 0, count: oldKeys.count * 2)
    for (place, number) in oldNumbers.enumerated() where number != 0 { insert(number, oldKeys[place]) }
  }
}
