import CocoaFoundation
import Foundation
import Testing

private enum Level: Int {
  case low, high
}

private class Account: NSObject, NSKeyValueCoding {
  var balance = 0.0 { didSet { changes += 1 } }
  var changes = 0
  var number: Int16 = 0
  var isOpen = false
  var limit: Int?
  var owner: Owner?
  var title = ""
  var opened: Date?
  var price = Decimal(0)
  var tags: [String] = []
  var codes: Set<Int> = []
  var level = Level.low
  var anything: Any?
  let kind = "giro"
  var half: Double {
    get { balance / 2 }
    set { balance = newValue * 2 }
  }
  private(set) var nils: [String] = []

  class var keyValueProperties: [OCDKeyValueProperty] {
    [
      OCDKeyValueProperty("balance", \Account.balance), OCDKeyValueProperty("number", \Account.number),
      OCDKeyValueProperty("isOpen", \Account.isOpen), OCDKeyValueProperty("limit", \Account.limit),
      OCDKeyValueProperty("owner", \Account.owner), OCDKeyValueProperty("title", \Account.title),
      OCDKeyValueProperty("opened", \Account.opened), OCDKeyValueProperty("price", \Account.price),
      OCDKeyValueProperty("tags", \Account.tags), OCDKeyValueProperty("codes", \Account.codes),
      OCDKeyValueProperty("level", \Account.level), OCDKeyValueProperty("anything", \Account.anything),
      OCDKeyValueProperty("kind", \Account.kind), OCDKeyValueProperty("half", \Account.half),
    ]
  }

  func setNilValueForKey(_ key: String) {
    if key == "number" { KeyValueCoding.nilForKey(key, of: self) }
    nils.append(key)
  }

  func value(forUndefinedKey key: String) -> Any? { "no \(key)" }

  func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String) throws {
    guard inKey == "title" else { return }
    guard let title = ioValue.pointee as? String, !title.isEmpty else { throw CocoaError(.keyValueValidation) }
    ioValue.pointee = title.trimmingCharacters(in: .whitespaces) as AnyObject
  }
}

private final class Savings: Account {
  var rate = 0.5
  override class var keyValueProperties: [OCDKeyValueProperty] {
    super.keyValueProperties + [
      OCDKeyValueProperty("rate", \Savings.rate), OCDKeyValueProperty("number", \Savings.number),
    ]
  }
}

private final class Owner: NSObject, NSKeyValueCoding {
  var name = "Ann"
  var boss: Owner?
  static let keyValueProperties = [
    OCDKeyValueProperty("name", \Owner.name), OCDKeyValueProperty("boss", \Owner.boss),
  ]
}

private final class Closed: NSObject, NSKeyValueCoding {
  let secret = 1
  static var accessInstanceVariablesDirectly: Bool { false }
  func value(forUndefinedKey key: String) -> Any? { nil }
}

@Suite("Properties that a class lists")
struct KeyValuePropertyTests {
  @Test("Any value that can be a property's is taken, and its observers and setters run")
  func conversions() {
    let account = Account()
    account.setValue(5, forKey: "balance")
    account.setValue(NSNumber(value: 7), forKey: "number")
    account.setValue(1, forKey: "isOpen")
    account.setValue(Int8(3), forKey: "limit")
    account.setValue("giro" as NSString, forKey: "title")
    account.setValue(NSDate(timeIntervalSinceReferenceDate: 1), forKey: "opened")
    account.setValue(2.5, forKey: "price")
    account.setValue(NSArray(array: ["a", "b"]), forKey: "tags")
    account.setValue(NSSet(array: [1, 2]), forKey: "codes")
    account.setValue(1, forKey: "level")
    account.setValue(NSNull(), forKey: "anything")
    #expect(account.balance == 5 && account.changes == 1 && account.number == 7 && account.isOpen && account.limit == 3)
    #expect(account.title == "giro" && account.opened?.timeIntervalSinceReferenceDate == 1 && account.price == 2.5)
    #expect(account.tags == ["a", "b"] && account.codes == [1, 2] && account.level == .high)
    #expect(account.value(forKey: "half") as? Double == 2.5 && account.value(forKey: "level") as? Int == 1)
    account.setValue(4, forKey: "half")
    #expect(account.balance == 8)
    #expect(account.value(forKey: "balance") is NSNumber && account.value(forKey: "kind") as? String == "giro")
    account.setValue(nil, forKey: "limit")
    account.setValue(NSNull(), forKey: "opened")
    #expect(account.limit == nil && account.opened == nil)
    account.setValue(nil, forKey: "balance")
    account.setValue(NSNull(), forKey: "title")
    #expect(account.nils == ["balance", "title"] && account.balance == 8)
    account.setValue(Decimal(string: "-3.9"), forKey: "number")
    account.setValue(Decimal(string: "9223372036854775807"), forKey: "limit")
    #expect(account.number == -3 && account.limit == .max)
  }

  @Test("What the class implements is found through NSObject, and stored properties without being listed")
  func dispatch() {
    let savings = Savings(), object: NSObject = savings
    object.setValue(2, forKey: "rate")
    object.setValue(9, forKeyPath: "balance")
    #expect(savings.rate == 2 && object.value(forKey: "balance") as? Int == 9)
    #expect(object.value(forKey: "changes") as? Int == 1)
    #expect(object.value(forKey: "colour") as? String == "no colour")
    object.setValue(Owner(), forKey: "owner")
    object.setValue("Bob", forKeyPath: "owner.name")
    #expect(object.value(forKeyPath: "owner.name") as? String == "Bob")
    object.setValuesForKeys(["title": "t", "limit": NSNull()])
    #expect(
      object.dictionaryWithValues(forKeys: ["title", "limit"]) as NSDictionary == ["title": "t", "limit": NSNull()])
    let closed: NSObject = Closed()
    #expect(closed.value(forKey: "secret") == nil)
    #expect(!Closed.accessInstanceVariablesDirectly && Savings.accessInstanceVariablesDirectly)
    #expect(NSObject.accessInstanceVariablesDirectly)
    let defaults = UserDefaults(suiteName: "KeyValuePropertyTests-\(UUID().uuidString)")
    defaults?.setValue(3, forKey: "n")
    #expect(defaults?.value(forKey: "n") as? Int == 3)
    defaults?.removeObject(forKey: "n")
  }

  @Test("The list names the Swift key paths, those of the classes it leads to, too")
  func names() {
    #expect(KeyPathNames.name(of: \Account.half) == "half")
    #expect(KeyPathNames.name(of: \Account.owner?.name) == "owner.name")
    #expect(KeyPathNames.name(of: \Account.owner?.boss?.name) == "owner.boss.name")
    #expect(KeyPathNames.name(of: \Savings.number) == "number")
    #expect(KeyPathNames.name(of: \Savings.rate) == "rate")
  }

  @Test("Validation may refuse a value or put another in its place, at the end of a path, too")
  func validation() throws {
    let account = Account(), object: NSObject = account
    var value: AnyObject? = "  x " as AnyObject
    try object.validateValue(&value, forKey: "title")
    #expect(value as? String == "x")
    value = nil
    #expect(throws: CocoaError.self) { try object.validateValue(&value, forKey: "title") }
    try object.validateValue(&value, forKey: "balance")
    let owner = ["account": account] as NSDictionary
    #expect(throws: CocoaError.self) { try owner.validateValue(&value, forKeyPath: "account.title") }
    try owner.validateValue(&value, forKeyPath: "nobody.title")
  }

  @Test("nil for a property without nil, a wrong type and a number out of range stop the program")
  func mistakes() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Account().setValue(nil, forKey: "number")
    }
    #expect(
      said(result, "setNilValueForKey]: could not set nil as the value for the key number."))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Account().setValue("many", forKey: "number")
    }
    #expect(
      said(result, "key number; desired type = Int16; given type = String; value = many"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Account().setValue(70000, forKey: "number")
    }
    #expect(said(result, "desired type = Int16"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      // Its lowest bits are those of 0.
      Account().setValue(Decimal(string: "1e30"), forKey: "number")
    }
    #expect(said(result, "desired type = Int16"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Account().setValue("x", forKey: "kind")
    }
    #expect(
      said(result, "setValue:forUndefinedKey:]: this class is not key value coding-compliant for the key kind."))
  }
}
