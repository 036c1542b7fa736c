import CocoaFoundation
import Foundation
import Testing

/// What applications keep in transformable attributes.
final class Palette: NSObject, NSSecureCoding {
  static var supportsSecureCoding: Bool { true }
  let name: String
  let colours: [Int]
  let weight: Double
  let isDark: Bool
  let next: Palette?

  init(_ name: String, _ colours: [Int], next: Palette? = nil) {
    self.name = name
    self.colours = colours
    self.next = next
    weight = 1.5
    isDark = true
  }

  func encode(with coder: NSCoder) {
    coder.encode(name as NSString, forKey: "name")
    coder.encode(colours as NSArray, forKey: "colours")
    coder.encode(weight, forKey: "weight")
    coder.encode(isDark, forKey: "isDark")
    coder.encode(next, forKey: "next")
    coder.encode(colours.count, forKey: "count")
  }

  init?(coder: NSCoder) {
    guard let name = coder.decodeObject(of: NSString.self, forKey: "name"),
      let colours = coder.decodeObject(of: [NSArray.self, NSNumber.self], forKey: "colours") as? [Int],
      coder.decodeInteger(forKey: "count") == colours.count
    else { return nil }
    self.name = name as String
    self.colours = colours
    weight = coder.decodeDouble(forKey: "weight")
    isDark = coder.decodeBool(forKey: "isDark")
    next = coder.decodeObject(of: Palette.self, forKey: "next")
  }

  override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? Palette else { return false }
    return name == other.name && colours == other.colours && weight == other.weight && isDark == other.isDark
      && next == other.next
  }
}

final class PaletteTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { super.allowedTopLevelClasses + [Palette.self] }
}

/// Coded without security.
final class Insecure: NSObject, NSCoding {
  override init() {}
  init?(coder: NSCoder) {}
  func encode(with coder: NSCoder) { coder.encode(1, forKey: "x") }
}

@Suite("Value transformers")
struct ValueTransformerTests {
  private final class Upper: ValueTransformer {
    override class func allowsReverseTransformation() -> Bool { false }
    override func transformedValue(_ value: Any?) -> Any? { (value as? String)?.uppercased() }
  }

  @Test("Transformers are registered by name")
  func registry() throws {
    let name = NSValueTransformerName("Upper\(UUID())")
    #expect(ValueTransformer(forName: name) == nil)
    let upper = Upper()
    ValueTransformer.setValueTransformer(upper, forName: name)
    #expect(ValueTransformer(forName: name) === upper)
    #expect(ValueTransformer(forName: name)?.transformedValue("a") as? String == "A")
    #expect(ValueTransformer.valueTransformerNames().contains(name))
    #expect(PaletteTransformer(forName: name) == nil)
    ValueTransformer.setValueTransformer(nil, forName: name)
    #expect(ValueTransformer(forName: name) == nil)
  }

  @Test("A class is found by its name, and its instance registered")
  func classes() {
    let name = NSValueTransformerName(NSStringFromClass(PaletteTransformer.self))
    let found = ValueTransformer(forName: name)
    #expect(found is PaletteTransformer)
    #expect(ValueTransformer(forName: name) === found)
    #expect(
      ValueTransformer(forName: NSValueTransformerName("NSSecureUnarchiveFromDataTransformer"))
        is NSSecureUnarchiveFromDataTransformer)
    #expect(ValueTransformer(forName: NSValueTransformerName("Foundation.NSArray")) == nil)
    #expect(ValueTransformer(forName: NSValueTransformerName("")) == nil)
  }

  @Test("Threads share the registry")
  func threads() {
    DispatchQueue.concurrentPerform(iterations: 100) { i in
      let name = NSValueTransformerName("Thread\(i % 5)")
      ValueTransformer.setValueTransformer(i.isMultiple(of: 2) ? Upper() : nil, forName: name)
      _ = ValueTransformer(forName: name)
      _ = ValueTransformer(forName: NSValueTransformerName("NSIsNil"))
    }
  }

  @Test("The built-in transformers have Apple's names")
  func builtIn() throws {
    let negate = try #require(ValueTransformer(forName: .negateBooleanTransformerName))
    #expect(negate.transformedValue(true) as? Bool == false)
    #expect(negate.reverseTransformedValue(NSNumber(value: 0)) as? Bool == true)
    #expect(negate.transformedValue(nil) as? Bool == true)
    let isNil = try #require(ValueTransformer(forName: NSValueTransformerName("NSIsNil")))
    #expect(isNil.transformedValue(nil) as? Bool == true)
    #expect(isNil.transformedValue(1) as? Bool == false)
    #expect(!type(of: isNil).allowsReverseTransformation())
    let isNotNil = try #require(ValueTransformer(forName: .isNotNilTransformerName))
    #expect(isNotNil.transformedValue(1) as? Bool == true)
    #expect(ValueTransformer(forName: NSValueTransformerName("NSUnarchiveFromData")) == nil)
    let keyed = try #require(ValueTransformer(forName: NSValueTransformerName("NSKeyedUnarchiveFromData")))
    let data = keyed.reverseTransformedValue([Insecure()])
    #expect((keyed.transformedValue(data) as? [Any])?.first is Insecure)
  }

  @Test("Reversing what cannot be reversed stops the program")
  func reversing() async {
    await #expect(processExitsWith: .failure) { _ = Upper().reverseTransformedValue("A") }
  }
}
