/// The Swift types of attributes, as Xcode writes them.
enum AttributeTypes {
  /// For each attribute type, the type of its objects, and its scalar type if it has one.
  private static let table: [String: (object: String, scalar: String?)] = [
    "Integer 16": ("NSNumber", "Int16"), "Integer 32": ("NSNumber", "Int32"), "Integer 64": ("NSNumber", "Int64"),
    "Double": ("NSNumber", "Double"), "Float": ("NSNumber", "Float"), "Boolean": ("NSNumber", "Bool"),
    "Decimal": ("NSDecimalNumber", nil), "String": ("String", nil), "Date": ("Date", "TimeInterval"),
    "Binary": ("Data", nil), "UUID": ("UUID", nil), "URI": ("URL", nil), "Transformable": ("NSObject", nil),
    "Composite": ("[String: Any]", nil), "Undefined": ("NSObject", nil),
  ]

  static let names = Set(table.keys)

  /// The numbers of the types, which are the raw values of NSAttributeType. Version hashes use them.
  static let numbers = [
    "Undefined": 0, "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500,
    "Float": 600, "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100, "URI": 1200,
    "Transformable": 1800, "Composite": 2100,
  ]

  /// Returns the type of a property. Xcode makes every object optional, even if the model does not: a value that the
  /// model requires may be missing until the object is saved.
  static func type(of attribute: AttributeSource) -> String {
    if let custom = customType(attribute) { return custom + "?" }
    let type = table[attribute.type ?? "Undefined"] ?? ("NSObject", nil)
    if attribute.isScalar, let scalar = type.scalar { return scalar }
    return type.object + "?"
  }

  /// Returns the class that a transformable attribute names: `UIColor`, `.Colour`, `Module.Colour`, `[String]`; nil if
  /// it names none.
  static func customType(_ attribute: AttributeSource) -> String? {
    guard ["Transformable", "Undefined", nil].contains(attribute.type), var name = attribute.customClassName else {
      return nil
    }
    // Xcode leaves such a text if the field was begun and not finished.
    if name.hasSuffix(".") { return nil }
    if name.hasPrefix(".") { name.removeFirst() }
    return name.isEmpty ? nil : name
  }

  /// Returns the module with which a custom class is qualified.
  static func module(of attribute: AttributeSource) -> String? {
    guard let custom = customType(attribute), !custom.hasPrefix("["), let dot = custom.firstIndex(of: ".") else {
      return nil
    }
    return String(custom[..<dot])
  }
}
