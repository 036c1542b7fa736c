import CocoaFoundation
import Foundation
import Testing

/// Archives an object and decodes it again.
func archived<T: NSObject & NSCoding>(_ object: T, as type: T.Type = T.self) throws -> T? {
  let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
  return try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: data)
}

@Suite("Archives")
struct ArchivingTests {
  @Test(
    "Formats of published code come back from archives",
    .enabled(if: !CorpusTests.formats.isEmpty, "the corpus is not there"))
  func corpus() throws {
    var count = 0
    for (index, format) in CorpusTests.formats.enumerated() where index % 3 == 0 {
      let arguments = CorpusTests.arguments(of: format)
      guard let predicate = try? NSPredicate(parsing: format, arguments: arguments) else { continue }
      let decoded = try archived(predicate)
      #expect(decoded == predicate, "\(format) became \(decoded?.description ?? "nothing")")
      #expect(decoded?.description == predicate.description, "\(format)")
      count += 1
    }
    #expect(count > 300)
  }

  @Test("Every predicate comes back from an archive")
  func roundTrip() throws {
    var generator = PredicateGenerator(random: SeededGenerator(for: "Archives"))
    let seed = generator.random.seed
    for _ in 0..<300 * Soak.factor {
      let predicate = generator.predicate(4)
      let decoded = try archived(predicate)
      #expect(decoded == predicate, "seed \(seed): \(predicate) became \(decoded?.description ?? "nothing")")
      #expect(decoded?.description == predicate.description, "seed \(seed): \(predicate)")
    }
  }

  @Test("Constants come back as what they are")
  func constants() throws {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000.5)
    let uuid = UUID()
    let decimals = [
      "1.5", "-0.000123", "79228162514264337593543950335", "0", "123456789012345678901234567890.12345678",
    ]
    let values: [Any] = [
      "text", "", 1, -1, Int64.max, UInt64.max, 2.0, 2.5, true, date, uuid, Data([1, 2, 3]), NSNull(),
      URL(fileURLWithPath: "/tmp/a"), [1, "a", [2.5]], ["key": 1], Set(["a", "b"]),
    ]
    for value in values {
      let expression = NSExpression(forConstantValue: value)
      let decoded = try #require(try archived(expression))
      #expect((decoded.constantValue as? NSObject) == (value as? NSObject), "\(value)")
    }
    for text in decimals {
      let decimal = try #require(Decimal(string: text))
      for value in [decimal, NSDecimalNumber(decimal: decimal)] as [Any] {
        let decoded = try archived(NSExpression(forConstantValue: value))
        #expect((decoded?.constantValue as? NSDecimalNumber)?.decimalValue == decimal)
      }
      let entries = try archived(NSExpression(forConstantValue: ["price": decimal]))
      #expect((entries?.constantValue as? [String: Any])?["price"] as? Decimal == decimal)
      let list = try archived(NSExpression(forConstantValue: [decimal, 1] as [Any]))
      #expect(((list?.constantValue as? [Any])?.first as? NSDecimalNumber)?.decimalValue == decimal)
    }
    #expect(try archived(NSExpression(forConstantValue: nil))?.constantValue == nil)
  }

  @Test("2 and 2.0 stay apart, although an archiver takes them for one object")
  func numbers() throws {
    for format in ["a == 5 / 2 AND b == 5 / 2.0", "a == 5 / 2.0 AND b == 5 / 2"] {
      let decoded = try #require(try archived(NSPredicate(format: format)))
      for object in [["a": 2, "b": 2.5], ["a": 2.5, "b": 2]] {
        #expect(decoded.evaluate(with: object) == NSPredicate(format: format).evaluate(with: object), "\(decoded)")
      }
    }
  }

  @Test("Sort descriptors come back, also those of Swift key paths with a name")
  func sortDescriptors() throws {
    for name in ["compare:", "caseInsensitiveCompare:", "localizedStandardCompare:"] {
      for key in ["name", "owner.name", nil] {
        let descriptor = NSSortDescriptor(key: key, ascending: key != nil, selector: Selector(name))
        #expect(try archived(descriptor) == descriptor)
      }
    }
    OCDRegisterKeyPath(\Item.rank, name: "rank")
    let decoded = try archived(NSSortDescriptor(keyPath: \Item.rank, ascending: false))
    #expect(decoded == NSSortDescriptor(key: "rank", ascending: false))
  }

  private struct Item {
    var rank = 0
  }

  @Test("An archive with several predicates, some of them Foundation's own")
  func arrays() throws {
    let list = NSArray(array: [
      NSPredicate(value: true), NSPredicate(format: "FALSEPREDICATE"), NSPredicate(format: "a == 1"),
      Foundation.NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(value: false)),
      NSSortDescriptor(key: "a", ascending: true), NSExpression(format: "a + 1"),
    ])
    let data = try NSKeyedArchiver.archivedData(withRootObject: list, requiringSecureCoding: true)
    let classes: [AnyClass] = [NSArray.self, NSPredicate.self, NSExpression.self, NSSortDescriptor.self]
    let decoded = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClasses: classes, from: data) as? [NSObject])
    let texts = [
      "TRUEPREDICATE", "FALSEPREDICATE", "a == 1", "NOT FALSEPREDICATE", "(a, ascending, compare:)", "a + 1",
    ]
    #expect(decoded.map(\.description) == texts)
  }

  @Test("A subclass decodes itself")
  func subclasses() throws {
    final class Marked: NSComparisonPredicate {}
    #expect(Marked.supportsSecureCoding && NSExpression.supportsSecureCoding && NSSortDescriptor.supportsSecureCoding)
    let data = try NSKeyedArchiver.archivedData(
      withRootObject: NSPredicate(format: "a == 1"), requiringSecureCoding: true)
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
    unarchiver.setClass(Marked.self, forClassName: "NSComparisonPredicate")
    #expect(unarchiver.decodeObject(of: NSPredicate.self, forKey: NSKeyedArchiveRootObjectKey) is Marked)
  }

  @Test("An expression of a subclass has the type that it was made with")
  func expressionType() {
    final class Answer: NSExpression, @unchecked Sendable {
      override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? { 42 }
    }
    let answer = Answer(expressionType: .function)
    #expect(answer.expressionType == .function && answer.description == "BLOCK()")
    let predicate = NSComparisonPredicate(
      leftExpression: answer, rightExpression: NSExpression(forConstantValue: 42), modifier: .direct, type: .equalTo)
    #expect(predicate.evaluate(with: nil))
  }

  @Test("Blocks cannot be archived")
  func blocks() async {
    await #expect(processExitsWith: .failure) {
      _ = try? NSKeyedArchiver.archivedData(
        withRootObject: NSPredicate(block: { _, _ in true }), requiringSecureCoding: true)
    }
    await #expect(processExitsWith: .failure) {
      let expression = NSExpression(block: { _, _, _ in 1 }, arguments: nil)
      _ = try? NSKeyedArchiver.archivedData(withRootObject: expression, requiringSecureCoding: true)
    }
    await #expect(processExitsWith: .failure) {
      let descriptor = NSSortDescriptor(key: "a", ascending: true) { _, _ in .orderedSame }
      _ = try? NSKeyedArchiver.archivedData(withRootObject: descriptor, requiringSecureCoding: true)
    }
  }
}
