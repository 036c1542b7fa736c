import CocoaFoundation
import Foundation
import Testing

@Suite("Secure unarchiving")
struct SecureUnarchivingTests {
  private let transformer = PaletteTransformer()
  static var values: [NSObject] {
    [
      "ä" as NSString, ["a", "b"] as NSArray, ["a": 1, "b": [1, 2.5]] as NSDictionary, NSSet(array: [1, 2]),
      5 as NSNumber, true as NSNumber, 2.5 as NSNumber, Date(timeIntervalSince1970: 5) as NSDate,
      Data([1, 2]) as NSData, NSURL(string: "http://a/b")!, NSURL(string: "c", relativeTo: URL(string: "http://a/b/"))!,
      NSUUID(), NSNull(), [1: "a"] as NSDictionary, NSNumber(value: Int64.min),
      NSMutableArray(array: ["m", NSMutableDictionary(dictionary: ["k": NSMutableSet(array: [1])])]),
      [Date(), UUID(), NSNull(), Data(), "", [Any](), [String: Any]()] as NSArray, Palette("x", [1, 2]),
      [Palette("y", [], next: Palette("z", [3]))] as NSArray,
    ]
  }

  @Test("Values come back as they were", arguments: values.indices)
  func roundTrip(index: Int) throws {
    let value = Self.values[index]
    let data = try #require(transformer.reverseTransformedValue(value) as? Data)
    #expect(transformer.transformedValue(data) as? NSObject == value)
    // What Foundation wrote is read too.
    let archive = try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true)
    #expect(transformer.transformedValue(archive) as? NSObject == value)
  }

  @Test("Values of Swift are archived as Foundation's, and Foundation can read what was written")
  func swiftValues() throws {
    let data = try #require(transformer.reverseTransformedValue(["a", "b"]) as? Data)
    #expect(transformer.transformedValue(data) as? [String] == ["a", "b"])
    let list = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, NSString.self], from: data)
    #expect(list as? [String] == ["a", "b"])
    for value in [1, true, "x", Date(), UUID(), Set(["q"]), ["a": [1]], URL(string: "a:b")!] as [Any] {
      #expect(transformer.transformedValue(transformer.reverseTransformedValue(value)) != nil, "\(value)")
    }
    #expect(transformer.transformedValue(nil) == nil && transformer.reverseTransformedValue(nil) == nil)
    let mutable = transformer.transformedValue(transformer.reverseTransformedValue(NSMutableArray()))
    #expect(mutable is NSMutableArray)
  }

  @Test("Decimal numbers are archived exactly")
  func decimals() throws {
    let number = NSDecimalNumber(string: "-12345678901234567890.5")
    let data = transformer.reverseTransformedValue(["a": [number]])
    let back = transformer.transformedValue(data) as? NSDictionary
    #expect(((back?["a"] as? NSArray)?[0] as? NSDecimalNumber)?.stringValue == "-12345678901234567890.5")
    for text in ["0", "NaN", "-1e-30", "340282366920938463463374607431768211455e20"] {
      let number = NSDecimalNumber(string: text)
      let back = transformer.transformedValue(try transformer.data(of: number)) as? NSDecimalNumber
      #expect(back?.stringValue == number.stringValue)
    }
    #expect(throws: CocoaError.self) { try transformer.data(of: [number, Palette("x", [])]) }
    #expect(throws: CocoaError.self) { try transformer.data(of: NSSet(array: [["a"]])) }
    var writer = KeyedArchiveWriter()
    let root = writer.add(set: [writer.add(value: number)])
    #expect(transformer.transformedValue(writer.serialized(root: root)) == nil)
  }

  @Test("Only the classes that are allowed are decoded and archived")
  func classes() throws {
    let standard = NSSecureUnarchiveFromDataTransformer()
    let data = try NSKeyedArchiver.archivedData(withRootObject: [Palette("x", [])], requiringSecureCoding: true)
    #expect(standard.transformedValue(data) == nil)
    #expect(transformer.transformedValue(data) is [Palette])
    #expect(throws: CocoaError.self) { try standard.object(in: data) }
    #expect(throws: CocoaError.self) { try standard.data(of: Palette("x", [])) }
    #expect(NSSecureUnarchiveFromDataTransformer.allowedTopLevelClasses.count == 10)
    let insecure = try NSKeyedArchiver.archivedData(withRootObject: Insecure(), requiringSecureCoding: false)
    #expect(throws: CocoaError.self) { try SecureUnarchiver.object(in: insecure, of: [Insecure.self]) }
    #expect(transformer.transformedValue("no data") == nil)
  }

  @Test("Archiving an object of another class stops the program with Apple's message")
  func disallowed() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSSecureUnarchiveFromDataTransformer().reverseTransformedValue(Palette("x", []))
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("is not among allowed top level class list"))
  }

  @Test("An archive that contains itself, or is too deep, gives nil")
  func cycles() {
    var writer = KeyedArchiveWriter()
    let root = writer.reserve()
    writer.add(["NSArray", "NSObject"], ["NS.objects": .array([root])], as: root)
    #expect(transformer.transformedValue(writer.serialized(root: root)) == nil)
    var deep = KeyedArchiveWriter()
    var inner = deep.add(text: "x")
    for _ in 0..<100_000 { inner = deep.add(array: [inner]) }
    #expect(transformer.transformedValue(deep.serialized(root: inner)) == nil)
    // One array many times over is none of those, and does not take long.
    var wide = KeyedArchiveWriter()
    var shared = wide.add(text: "x")
    for _ in 0..<100 { shared = wide.add(array: [shared, shared]) }
    #expect(transformer.transformedValue(wide.serialized(root: shared)) is NSArray)
  }

  /// `SOAK=20 swift test --filter SecureUnarchivingTests` damages twenty times as many.
  @Test("Damaged archives never stop the program")
  func mutations() throws {
    var random = SeededGenerator(for: "Damaged values")
    var archives: [Data] = []
    let values = Self.values
    for value in values {
      archives.append(try NSKeyedArchiver.archivedData(withRootObject: value, requiringSecureCoding: true))
      archives.append(try transformer.data(of: value))
    }
    archives.append(try transformer.data(of: NSDecimalNumber(string: "1.25")))
    var components = DateComponents(timeZone: TimeZone(identifier: "UTC"))
    components.year = 2000
    let objects: [NSObject] = [
      NSAttributedString(string: "x"), NSIndexSet(indexesIn: NSRange(location: 1, length: 3)),
      NSMutableIndexSet(indexSet: [1, 3, 200, 70_000]), NSIndexPath(indexes: [7], length: 1), NSIndexPath(),
      NSIndexPath(indexes: [1, 300, 70_000], length: 3), NSIndexSet(), NSLocale(localeIdentifier: "de"),
      NSTimeZone(name: "Europe/Berlin")!,
      NSMutableAttributedString(string: "x"), components as NSDateComponents,
    ]
    for object in objects {
      archives.append(try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false))
      #expect(try SecureUnarchiver.object(in: archives[archives.count - 1], of: nil) as? NSObject == object)
    }
    let keyed = try #require(ValueTransformer(forName: NSValueTransformerName("NSKeyedUnarchiveFromData")))
    var decoded = 0
    for _ in 0..<5_000 * Soak.factor {
      var data = try #require(archives.randomElement(using: &random))
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 0..<data.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: data[index] = UInt8.random(in: 0...255, using: &random)
        case 1: data[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: data[index] = data[Int.random(in: 0..<data.count, using: &random)]
        default: if data.count > 1, Int.random(in: 0..<20, using: &random) == 0 { data = Data(data.prefix(index + 1)) }
        }
      }
      if transformer.transformedValue(data) != nil { decoded += 1 }
      _ = keyed.transformedValue(data)
    }
    #expect(decoded > 0)
  }
}
