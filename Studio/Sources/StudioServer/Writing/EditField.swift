import CoreData
import CoreDataTools
import Foundation

/// A value of an object that a form has a field for: an attribute, or an element of a composite attribute.
struct EditField {
  /// The kind of field.
  enum Kind: Equatable {
    case line(type: String, mode: String)
    case area
    case choice([String])
    case date
    case file
    /// A value that cannot be edited, with the reason.
    case fixed(String)
  }

  /// The key path, with dots for elements of composite attributes.
  let keyPath: String
  let attribute: NSAttributeDescription
  let isSecret: Bool

  /// Returns the fields of an entity, sorted by key path.
  static func all(of entity: NSEntityDescription) -> [EditField] {
    let names = entity.attributesByName.keys.sorted()
    return names.flatMap { name -> [EditField] in
      guard let attribute = entity.attributesByName[name], !attribute.isTransient else { return [] }
      return fields(name, attribute, isSecret: attribute.isSecret)
    }
  }

  private static func fields(_ path: String, _ attribute: NSAttributeDescription, isSecret: Bool) -> [EditField] {
    guard let composite = attribute as? NSCompositeAttributeDescription else {
      return [EditField(keyPath: path, attribute: attribute, isSecret: isSecret)]
    }
    return composite.elements.sorted { $0.name < $1.name }.flatMap {
      fields(path + "." + $0.name, $0, isSecret: isSecret || $0.isSecret)
    }
  }

  /// - Parameter value: The object's present value.
  func kind(_ value: Any?) -> Kind {
    if attribute is NSDerivedAttributeDescription { return .fixed("derived: the store works it out with each save") }
    let listed = attribute.listedValues
    switch attribute.attributeType {
    case .booleanAttributeType: return .choice(["true", "false"])
    case .transformableAttributeType: return .fixed("transformable: what it means is known to the application alone")
    case .objectIDAttributeType: return .fixed("the ID of an object cannot be typed")
    case .binaryDataAttributeType: return .file
    case .stringAttributeType where (value as? String)?.contains("\0") == true:
      return .fixed("it has a character that forms cannot carry (U+0000)")
    case .dateAttributeType:
      if let date = value as? Date, FieldText.dateField(date) == nil { return .fixed("its year has not four digits") }
      return .date
    default: break
    }
    if !listed.isEmpty, !isSecret { return .choice(listed) }
    switch attribute.attributeType {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return .line(type: "text", mode: "numeric")
    case .doubleAttributeType, .floatAttributeType, .decimalAttributeType: return .line(type: "text", mode: "decimal")
    case .UUIDAttributeType: return .line(type: "text", mode: "text")
    case .URIAttributeType: return .line(type: "text", mode: "url")
    case .stringAttributeType: return isSecret ? .line(type: "password", mode: "text") : .area
    default: return .fixed("values of this type cannot be typed")
    }
  }

  /// Whether nil and an empty string are both possible values, so that the form asks which one is meant.
  var distinguishesNone: Bool { attribute.attributeType == .stringAttributeType && attribute.isOptional }

  // MARK: Values

  private var path: [String] { keyPath.split(separator: ".").map(String.init) }

  /// The name of the attribute that the key path begins with.
  var root: String { path[0] }

  func value(of object: NSManagedObject) -> Any? {
    var value = object.value(forKey: root)
    for name in path.dropFirst() { value = (value as? [String: Any])?[name] }
    return value is NSNull ? nil : value
  }

  /// - Throws: an error that says which values the attribute can have.
  func set(_ value: Any?, of object: NSManagedObject) throws {
    guard path.count > 1 else { return try object.setCheckedValue(value, forKey: root) }
    let before = object.value(forKey: root) as? [String: Any] ?? [:]
    let after = Self.setting(path.dropFirst(), to: value, in: before)
    try object.setCheckedValue(after.isEmpty ? nil : after, forKey: root)
  }

  private static func setting(_ path: ArraySlice<String>, to value: Any?, in dictionary: [String: Any]) -> [String: Any]
  {
    guard let name = path.first else { return dictionary }
    var result = dictionary
    if path.count == 1 {
      result[name] = value
    } else {
      let inner = setting(path.dropFirst(), to: value, in: dictionary[name] as? [String: Any] ?? [:])
      result[name] = inner.isEmpty ? nil : inner
    }
    return result
  }

  /// The rules of the model in readable form, such as `value >= 0`.
  var rules: String {
    attribute.validationPredicates.filter { _ in attribute.listedValues.isEmpty }
      .map { $0.description.replacing("SELF", with: "value") }.joined(separator: " and ")
  }
}
