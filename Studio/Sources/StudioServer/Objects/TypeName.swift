import CoreData

extension NSAttributeDescription {
  /// The type in the words of Xcode's model editor.
  var typeName: String {
    switch attributeType {
    case .undefinedAttributeType: "Undefined"
    case .integer16AttributeType: "Integer 16"
    case .integer32AttributeType: "Integer 32"
    case .integer64AttributeType: "Integer 64"
    case .decimalAttributeType: "Decimal"
    case .doubleAttributeType: "Double"
    case .floatAttributeType: "Float"
    case .stringAttributeType: "String"
    case .booleanAttributeType: "Boolean"
    case .dateAttributeType: "Date"
    case .binaryDataAttributeType: "Binary Data"
    case .UUIDAttributeType: "UUID"
    case .URIAttributeType: "URI"
    case .transformableAttributeType: "Transformable"
    case .objectIDAttributeType: "Object ID"
    case .compositeAttributeType: "Composite"
    }
  }
}
