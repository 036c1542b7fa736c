import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// A class as the build plugin writes it: accessors of Swift types over the same slots that keys lead to.
final class Gauge: NSManagedObject {
  private enum Key {
    static let i16 = _PropertyKey("i16"), i32 = _PropertyKey("i32"), i64 = _PropertyKey("i64"),
      flag = _PropertyKey("flag")
    static let double = _PropertyKey("double"), float = _PropertyKey("float"), text = _PropertyKey("text")
    static let date = _PropertyKey("date"), data = _PropertyKey("data"), uuid = _PropertyKey("uuid")
    static let link = _PropertyKey("link"), price = _PropertyKey("price"), colour = _PropertyKey("colour")
    static let place = _PropertyKey("place")
  }

  var i16: Int16 {
    get { _managedValue(Key.i16) }
    set { _setManagedValue(newValue, Key.i16) }
  }
  var i32: Int32 {
    get { _managedValue(Key.i32) }
    set { _setManagedValue(newValue, Key.i32) }
  }
  var i64: Int64 {
    get { _managedValue(Key.i64) }
    set { _setManagedValue(newValue, Key.i64) }
  }
  var flag: Bool {
    get { _managedValue(Key.flag) }
    set { _setManagedValue(newValue, Key.flag) }
  }
  var double: Double {
    get { _managedValue(Key.double) }
    set { _setManagedValue(newValue, Key.double) }
  }
  var float: Float {
    get { _managedValue(Key.float) }
    set { _setManagedValue(newValue, Key.float) }
  }
  var boxed16: NSNumber? {
    get { _managedValue(Key.i16) }
    set { _setManagedValue(newValue, Key.i16) }
  }
  var boxed64: NSNumber? {
    get { _managedValue(Key.i64) }
    set { _setManagedValue(newValue, Key.i64) }
  }
  var boxedFlag: NSNumber? {
    get { _managedValue(Key.flag) }
    set { _setManagedValue(newValue, Key.flag) }
  }
  var boxedDouble: NSNumber? {
    get { _managedValue(Key.double) }
    set { _setManagedValue(newValue, Key.double) }
  }
  var boxedFloat: NSNumber? {
    get { _managedValue(Key.float) }
    set { _setManagedValue(newValue, Key.float) }
  }
  var text: String? {
    get { _managedValue(Key.text) }
    set { _setManagedValue(newValue, Key.text) }
  }
  var date: Date? {
    get { _managedValue(Key.date) }
    set { _setManagedValue(newValue, Key.date) }
  }
  var data: Data? {
    get { _managedValue(Key.data) }
    set { _setManagedValue(newValue, Key.data) }
  }
  var uuid: UUID? {
    get { _managedValue(Key.uuid) }
    set { _setManagedValue(newValue, Key.uuid) }
  }
  var link: URL? {
    get { _managedValue(Key.link) }
    set { _setManagedValue(newValue, Key.link) }
  }
  var price: NSDecimalNumber? {
    get { _managedValue(Key.price) }
    set { _setManagedValue(newValue, Key.price) }
  }
  var decimal: Decimal? {
    get { _managedValue(Key.price) }
    set { _setManagedValue(newValue, Key.price) }
  }
  var colour: Colour? {
    get { _managedObject(Key.colour) }
    set { _setManagedValue(newValue, Key.colour) }
  }
  var place: [String: Any]? {
    get { _managedObject(Key.place) }
    set { _setManagedValue(newValue, Key.place) }
  }

  static func model() -> NSManagedObjectModel {
    Colour.register()
    let types: [(String, NSAttributeType)] = [
      ("i16", .integer16AttributeType), ("i32", .integer32AttributeType), ("i64", .integer64AttributeType),
      ("flag", .booleanAttributeType), ("double", .doubleAttributeType), ("float", .floatAttributeType),
      ("text", .stringAttributeType), ("date", .dateAttributeType), ("data", .binaryDataAttributeType),
      ("uuid", .UUIDAttributeType), ("link", .URIAttributeType), ("price", .decimalAttributeType),
    ]
    let entity = TestModel.entity(
      "Gauge",
      types.map { TestModel.attribute($0, $1) } + [
        ValuesModel.transformable("colour", "Colour.test"),
        ValuesModel.composite("place", [TestModel.attribute("x", .doubleAttributeType)]),
      ])
    entity.managedObjectClassName = NSStringFromClass(Gauge.self)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}

/// One way to set a value of one type, and what the other way has to find.
struct Access: Sendable, CustomTestStringConvertible {
  let key: String
  nonisolated(unsafe) let value: Any
  let set: @Sendable (Gauge) -> Void
  let holds: @Sendable (Gauge) -> Bool
  var testDescription: String { "\(key): \(value)" }

  static func make<Value: Equatable & Sendable>(
    _ key: String, _ path: @escaping @Sendable (Gauge) -> Value, _ set: @escaping @Sendable (Gauge, Value) -> Void,
    _ value: Value
  ) -> Access {
    Access(key: key, value: value, set: { set($0, value) }, holds: { path($0) == value })
  }
}

/// Typed accessors and key-value coding give and take the same, before a save, after it, and after reopening.
@Suite struct ScalarAccessTests {
  static let table: [Access] = [
    .make("i16", { $0.i16 }, { $0.i16 = $1 }, .min), .make("i16", { $0.i16 }, { $0.i16 = $1 }, .max),
    .make("i32", { $0.i32 }, { $0.i32 = $1 }, .min), .make("i64", { $0.i64 }, { $0.i64 = $1 }, .min),
    .make("i64", { $0.i64 }, { $0.i64 = $1 }, .max), .make("flag", { $0.flag }, { $0.flag = $1 }, true),
    .make("double", { $0.double }, { $0.double = $1 }, 0.1),
    .make("double", { $0.double }, { $0.double = $1 }, -.greatestFiniteMagnitude),
    .make("float", { $0.float }, { $0.float = $1 }, 0.1),
    .make("i16", { $0.boxed16?.int16Value }, { $0.boxed16 = $1.map { NSNumber(value: $0) } }, -5),
    .make("i64", { $0.boxed64?.int64Value }, { $0.boxed64 = $1.map { NSNumber(value: $0) } }, 1 << 53 + 1),
    .make("flag", { $0.boxedFlag?.boolValue }, { $0.boxedFlag = $1.map { NSNumber(value: $0) } }, true),
    .make("double", { $0.boxedDouble?.doubleValue }, { $0.boxedDouble = $1.map { NSNumber(value: $0) } }, 1e-300),
    .make("float", { $0.boxedFloat?.floatValue }, { $0.boxedFloat = $1.map { NSNumber(value: $0) } }, 2.5),
    .make("text", { $0.text }, { $0.text = $1 }, "e\u{301} \0 \u{1F600}"),
    .make("text", { $0.text }, { $0.text = $1 }, ""),
    .make("date", { $0.date }, { $0.date = $1 }, Date(timeIntervalSinceReferenceDate: -0.125)),
    .make("data", { $0.data }, { $0.data = $1 }, Data([0, 1, 255])),
    .make("uuid", { $0.uuid }, { $0.uuid = $1 }, UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")),
    .make("link", { $0.link }, { $0.link = $1 }, URL(string: "https://a.org/b?c=%20#d")),
    .make(
      "price", { $0.price?.decimalValue }, { $0.price = $1.map(NSDecimalNumber.init(decimal:)) },
      Decimal(string: "9.99")),
    .make("price", { $0.decimal }, { $0.decimal = $1 }, Decimal(string: "-12345678.25")),
    Access(
      key: "colour", value: Colour(1, 2, 3), set: { $0.colour = Colour(1, 2, 3) },
      holds: { $0.colour == Colour(1, 2, 3) }),
    Access(
      key: "place", value: ["x": 1.5], set: { $0.place = ["x": 1.5] }, holds: { $0.place?["x"] as? Double == 1.5 }),
  ]

  @Test(arguments: table.indices, TestStore.all(that: .reopening))
  func bothWaysAgree(number: Int, _ store: TestStore) throws {
    let access = Self.table[number]
    if !store.holdsNUL, (access.value as? String)?.utf8.contains(0) == true { return }
    let file = try StoreFile(store, Gauge.model())
    func agree(_ gauge: Gauge, _ comment: Comment) {
      #expect(access.holds(gauge), comment)
      let value = gauge.value(forKey: access.key)
      let wanted = (access.value as? any OptionalValue)?.wrapped ?? access.value
      #expect(value as? NSObject == wanted as? NSObject, "\(comment) \(String(describing: value))")
    }
    try file.opened { context in
      let (typed, keyed) = (Gauge(context: context), Gauge(context: context))
      access.set(typed)
      keyed.setValue((access.value as? any OptionalValue)?.wrapped ?? access.value, forKey: access.key)
      for gauge in [typed, keyed] { agree(gauge, "new") }
      try context.save()
      for gauge in [typed, keyed] { agree(gauge, "saved") }
      // The same value again is no change, whichever way it comes.
      access.set(keyed)
      typed.setValue((access.value as? any OptionalValue)?.wrapped ?? access.value, forKey: access.key)
      #expect(typed.changedValues().isEmpty && keyed.changedValues().isEmpty)
      try context.save()
    }
    try file.opened { context in
      let gauges = try context.fetch(NSFetchRequest<Gauge>(entityName: "Gauge"))
      #expect(gauges.count == 2)
      for gauge in gauges { agree(gauge, "reopened") }
      for gauge in gauges { gauge.setValue(nil, forKey: access.key) }
      try context.save()
      context.refreshAllObjects()
      for gauge in gauges { #expect(gauge.value(forKey: access.key) == nil && !access.holds(gauge)) }
    }
  }
}

private protocol OptionalValue { var wrapped: Any? { get } }
extension Optional: OptionalValue { fileprivate var wrapped: Any? { map { $0 as Any } } }
