import Foundation

// Index paths and index sets are decoded here, because Foundation's initialisers of both stop the program at damaged numbers.
extension SecureUnarchiver {
  func indexPath() throws -> NSIndexPath {
    let length = decodeInteger(forKey: "NSIndexPathLength")
    let indexes =
      length == 1 ? [decodeInteger(forKey: "NSIndexPathValue")] : try packedNumbers(length, "NSIndexPathData")
    guard indexes.allSatisfy({ $0 >= 0 }) else { throw Self.error("An index path has a negative index.") }
    return NSIndexPath(indexes: indexes, length: indexes.count)
  }

  func indexSet(isMutable: Bool) throws -> NSIndexSet {
    let count = decodeInteger(forKey: "NSRangeCount")
    let (doubled, overflows) = count.multipliedReportingOverflow(by: 2)
    guard !overflows else { throw Self.error("An index set is damaged.") }
    let numbers =
      count == 1
      ? [decodeInteger(forKey: "NSLocation"), decodeInteger(forKey: "NSLength")]
      : try packedNumbers(doubled, "NSRangeData")
    var indexes = IndexSet()
    for place in stride(from: 0, to: numbers.count, by: 2) {
      let (location, length) = (numbers[place], numbers[place + 1])
      let (end, overflows) = location.addingReportingOverflow(length)
      guard location >= 0, length > 0, !overflows, end < NSNotFound else {
        throw Self.error("An index set has a range that is none.")
      }
      indexes.insert(integersIn: location..<end)
    }
    return isMutable ? NSMutableIndexSet(indexSet: indexes) : NSIndexSet(indexSet: indexes)
  }

  /// Decodes numbers that are packed into bytes of 7 bits, the lowest bits first. The eighth bit of a byte says that the number
  /// continues in the next byte.
  private func packedNumbers(_ count: Int, _ key: String) throws -> [Int] {
    if count == 0 { return [] }
    let data = decodeObject(of: [NSData.self], forKey: key) as? Data ?? Data()
    var numbers: [Int] = []
    var (number, shift) = (0, 0)
    for byte in data where numbers.count < count {
      guard shift < 63 else { throw Self.error("The field \(key) has a number of more than 63 bits.") }
      number |= Int(byte & 0x7F) << shift
      shift += 7
      if byte & 0x80 == 0 {
        numbers.append(number)
        (number, shift) = (0, 0)
      }
    }
    guard numbers.count == count else { throw Self.error("The field \(key) does not hold \(count) numbers.") }
    return numbers
  }
}
