import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values that are recognised by their type are what a conversion makes of them, and live on.
@Suite struct ExactValueTests {
  @Test func isWhatACastGives() throws {
    var random = SeededGenerator(for: "exact values")
    let kinds: [ValueKind] = [.string, .double, .int64, .int32, .int16, .bool, .date, .uuid, .data]
    var kept: [(StoredValue, Any)] = []
    for _ in 0..<(2000 * Soak.factor) {
      let number = Int.random(in: Int.min...Int.max, using: &random) >> Int.random(in: 0..<64, using: &random)
      let bytes = Data((0..<Int.random(in: 0..<40, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* number) })
      let values: [Any] = [
        "\(number)", "a text that does not fit into a word or two: \(number)", Double(number) / 3, number,
        Int64(number),
        Int32(truncatingIfNeeded: number), Int16(truncatingIfNeeded: number), number & 1 == 0,
        Date(timeIntervalSinceReferenceDate: Double(number)), UUID(), bytes, NSNumber(value: number), NSNull(),
        Optional(number) as Any, Optional<Int>.none as Any, NSString(string: "\(number)"), UInt(bitPattern: number),
      ]
      let value = values[Int.random(in: 0..<values.count, using: &random)]
      let kind = kinds[Int.random(in: 0..<kinds.count, using: &random)]
      if let stored = ExactValue.stored(value, kind) { kept.append((stored, value)) }
    }
    #expect(kept.count > 100)
    for (stored, value) in kept {
      switch stored {
      case .string(let text): #expect(text == value as? String)
      case .double(let double): #expect(double == (value as? Date)?.timeIntervalSinceReferenceDate ?? value as? Double)
      case .int(let int): #expect("\(int)" == "\((value as? Bool).map { $0 ? 1 : 0 } ?? value)")
      case .uuid(let uuid): #expect(uuid == value as? UUID)
      case .data(let data): #expect(data == value as? Data)
      default: Issue.record("\(stored) of \(value)")
      }
    }
    #expect(ExactValue.stored(Int(Int32.max) + 1, .int32) == nil && ExactValue.string(3) == nil)
  }
}
