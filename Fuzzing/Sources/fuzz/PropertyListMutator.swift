import Foundation
@testable import OpenCocoaFoundation

/// Changes values of a binary property list and writes it anew, so that the change is in what it says, not in its bytes.
struct PropertyListMutator {
  private var state: UInt64
  /// Values of the list, to be put elsewhere.
  private var known: [PropertyListValue] = []
  private var referenceLimit = 1

  init(seed: UInt64) { state = seed }

  /// Nil for what is no property list.
  mutating func mutate(_ data: Data) -> Data? {
    guard let value = try? BinaryPropertyListReader.read(data, deepest: 80) else { return nil }
    collect(value)
    var result = value
    for _ in 0...random(3) {
      var place = random(known.count)
      result = changed(result, &place)
    }
    return BinaryPropertyListWriter.write(result)
  }

  private mutating func random(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
  }

  private mutating func collect(_ value: PropertyListValue) {
    known.append(value)
    switch value {
    case .array(let values):
      referenceLimit = max(referenceLimit, values.count)
      for value in values { collect(value) }
    case .dictionary(let values): for value in values.values { collect(value) }
    default: break
    }
  }

  /// The list with the value at a place, counted as `collect` does, replaced.
  private mutating func changed(_ value: PropertyListValue, _ place: inout Int) -> PropertyListValue {
    place -= 1
    if place == -1 { return replacement(value) }
    if place < -1 { return value }
    switch value {
    case .array(var values):
      for index in values.indices where place >= 0 { values[index] = changed(values[index], &place) }
      return .array(values)
    case .dictionary(var values):
      for key in values.keys.sorted() where place >= 0 {
        if let value = values[key] { values[key] = changed(value, &place) }
      }
      return .dictionary(values)
    default: return value
    }
  }

  private mutating func replacement(_ value: PropertyListValue) -> PropertyListValue {
    if random(6) == 0 { return known[random(known.count)] }
    switch value {
    case .array(var values):
      let place = random(values.count)
      switch random(4) {
      case 0 where !values.isEmpty: values.remove(at: place)
      case 1 where !values.isEmpty: values.swapAt(place, random(values.count))
      case 2: values.insert(known[random(known.count)], at: place)
      default: values.append(.uid(random(referenceLimit + 1)))
      }
      return .array(values)
    case .dictionary(var values):
      let keys = values.keys.sorted()
      if !keys.isEmpty, random(2) == 0 {
        values[keys[random(keys.count)]] = nil
      } else {
        let others = known.flatMap { $0.dictionaryValue.map { Array($0.keys).sorted() } ?? [] }
        values[others.isEmpty ? "root" : others[random(others.count)]] = known[random(known.count)]
      }
      return .dictionary(values)
    case .uid: return .uid(random(referenceLimit + 1))
    case .string(let text): return random(2) == 0 ? string() : bytes(Data(text.utf8)).map(Self.string) ?? string()
    case .data(let data): return bytes(data).map(PropertyListValue.data) ?? leaf()
    default: return leaf()
    }
  }

  private static func string(_ data: Data) -> PropertyListValue { .string(String(decoding: data, as: UTF8.self)) }

  /// Some bytes changed by libFuzzer, which knows its dictionary and what was compared.
  private func bytes(_ data: Data) -> Data? {
    var buffer = [UInt8](data)
    let count = buffer.count
    buffer.append(contentsOf: [UInt8](repeating: 0, count: 64))
    let changed = buffer.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mutateBytes($0, count, buffer.count) } ?? 0
    }
    return Data(buffer.prefix(changed))
  }

  private mutating func string() -> PropertyListValue {
    let texts = known.compactMap(\.stringValue)
    return texts.isEmpty ? .string("") : .string(texts[random(texts.count)])
  }

  private mutating func leaf() -> PropertyListValue {
    let numbers: [Int64] = [0, 1, -1, 2, 14, 255, 65_535, 65_536, .init(Int32.max), .init(UInt32.max), .max, .min]
    switch random(8) {
    case 0: return .bool(random(2) == 0)
    case 1: return .real([0, -0.0, .nan, .infinity, -1e300, 1e300, .leastNonzeroMagnitude][random(7)])
    case 2: return .date([0, .nan, .infinity, -1e300, 1e18][random(5)])
    case 3: return .data(Data(repeating: 0, count: random(40)))
    case 4: return .uid(random(referenceLimit + 1))
    case 5: return .integer(Int64(random(200)))
    default: return .integer(numbers[random(numbers.count)])
    }
  }
}
