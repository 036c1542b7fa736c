import CoreData
import Testing

/// Entities with attributes of the kinds that are more than a column: transformable, composite, without a type.
enum ValuesModel {
  static func transformable(_ name: String, _ transformer: String? = nil, optional: Bool = true)
    -> NSAttributeDescription
  {
    let attribute = TestModel.attribute(name, .transformableAttributeType, optional: optional)
    attribute.valueTransformerName = transformer
    return attribute
  }

  static func composite(_ name: String, optional: Bool = true, _ elements: [NSAttributeDescription])
    -> NSCompositeAttributeDescription
  {
    let composite = NSCompositeAttributeDescription()
    composite.name = name
    composite.isOptional = optional
    composite.elements = elements
    return composite
  }

  /// Shapes have colours, tags and notes; circles are shapes.
  static func shapes() -> NSManagedObjectModel {
    Colour.register()
    let shape = TestModel.entity(
      "Shape",
      [
        TestModel.attribute("name", .stringAttributeType),
        transformable("tags", "NSSecureUnarchiveFromData"), transformable("colour", "Colour.test"),
        transformable("anything"), transformable("missing", "No such transformer"),
      ])
    let circle = TestModel.entity("Circle", [transformable("rim", "Colour.test")], parent: shape)
    let model = NSManagedObjectModel()
    model.entities = [shape, circle]
    return model
  }

  /// People have an address, whose place is a composite, too; staff are people with an office.
  static func addresses() -> NSManagedObjectModel {
    let latitude = TestModel.attribute("latitude", .doubleAttributeType)
    let longitude = TestModel.attribute("longitude", .doubleAttributeType)
    let number = TestModel.attribute("number", .integer16AttributeType, 1)
    let street = TestModel.attribute("street", .stringAttributeType, optional: false)
    let address = composite("address", [street, number, composite("place", [latitude, longitude])])
    let person = TestModel.entity("Person", [TestModel.attribute("name", .stringAttributeType), address])
    let room = TestModel.attribute("room", .stringAttributeType)
    let staff = TestModel.entity(
      "Staff", [TestModel.attribute("badge", .integer32AttributeType), composite("office", [room])], parent: person)
    let pet = TestModel.entity("Pet", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(person, "pets", max: 0, pet, "owner", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [person, staff, pet]
    return model
  }
}

/// What a program's own transformer stores: three numbers as three bytes.
final class Colour: NSObject, NSSecureCoding {
  let parts: [UInt8]
  static let supportsSecureCoding = true

  init(_ parts: UInt8...) { self.parts = parts }

  init?(data: Data) {
    guard data.count == 3 else { return nil }
    parts = Array(data)
  }

  init?(coder: NSCoder) {
    guard let data = coder.decodeObject(of: NSData.self, forKey: "parts") else { return nil }
    parts = Array(data as Data)
  }

  func encode(with coder: NSCoder) { coder.encode(Data(parts) as NSData, forKey: "parts") }

  override func isEqual(_ object: Any?) -> Bool { (object as? Colour)?.parts == parts }
  override var hash: Int { parts.hashValue }

  static func register() {
    ValueTransformer.setValueTransformer(ColourTransformer(), forName: NSValueTransformerName("Colour.test"))
  }
}

/// Objects to data, as Apple's documentation asks of a transformer for an attribute.
final class ColourTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSData.self }

  override func transformedValue(_ value: Any?) -> Any? { (value as? Colour).map { Data($0.parts) } }

  override func reverseTransformedValue(_ value: Any?) -> Any? { (value as? Data).flatMap(Colour.init(data:)) }
}

/// An object that no archive can hold.
final class Unarchivable: NSObject {}

/// A store in a file, opened as often as a test likes.
struct StoreFile {
  let store: TestStore
  let url: URL
  let model: NSManagedObjectModel

  init(_ store: TestStore, _ model: NSManagedObjectModel, url: URL? = nil) throws {
    self.store = store
    self.url = try #require(try url ?? store.place())
    self.model = model
  }

  /// Runs a block in a context of a new coordinator, which knows nothing but the file.
  func opened(_ body: (NSManagedObjectContext) throws -> Void) throws {
    let coordinator = try store.coordinator(model, url: url)
    defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
    let context = TestModel.context(coordinator)
    try context.performAndWait { try body(context) }
  }
}
