/// The Swift types of attributes, as Xcode writes them.
enum AttributeTypes {
  /// The type of the objects, and the scalar type if there is one.
  private static let table: [String: (object: String, scalar: String?)] = [
    "Integer 16": ("NSNumber", "Int16"), "Integer 32": ("NSNumber", "Int32"), "Integer 64": ("NSNumber", "Int64"),
    "Double": ("NSNumber", "Double"), "Float": ("NSNumber", "Float"), "Boolean": ("NSNumber", "Bool"),
    "Decimal": ("NSDecimalNumber", nil), "String": ("String", nil), "Date": ("Date", "TimeInterval"),
    "Binary": ("Data", nil), "UUID": ("UUID", nil), "URI": ("URL", nil), "Transformable": ("NSObject", nil),
    "Composite": ("[String: Any]", nil), "Undefined": ("NSObject", nil),
  ]

  static let names = Set(table.keys)

  /// The numbers of the types, the raw values of NSAttributeType, which version hashes are made of.
  static let numbers = [
    "Undefined": 0, "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400, "Double": 500,
    "Float": 600, "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000, "UUID": 1100, "URI": 1200,
    "Transformable": 1800, "Composite": 2100,
  ]

  /// The type of a property. Xcode makes every object optional, whether the attribute is optional in the model or not: a
  /// mandatory value is required only when the object is saved.
  static func type(of attribute: AttributeSource) -> String {
    if let custom = customType(attribute) { return custom + "?" }
    let type = table[attribute.type ?? "Undefined"] ?? ("NSObject", nil)
    if attribute.isScalar, let scalar = type.scalar { return scalar }
    return type.object + "?"
  }

  /// The class that a transformable attribute names: `UIColor`, `.Colour`, `Module.Colour`, `[String]`; nil for none.
  static func customType(_ attribute: AttributeSource) -> String? {
    guard ["Transformable", "Undefined", nil].contains(attribute.type), var name = attribute.customClassName else {
      return nil
    }
    // Xcode writes such a name if the field was not filled in completely.
    if name.hasSuffix(".") { return nil }
    if name.hasPrefix(".") { name.removeFirst() }
    return name.isEmpty ? nil : name
  }

  /// The module that a custom class is qualified with.
  static func module(of attribute: AttributeSource) -> String? {
    guard let custom = customType(attribute), !custom.hasPrefix("["), let dot = custom.firstIndex(of: ".") else {
      return nil
    }
    return String(custom[..<dot])
  }
}
