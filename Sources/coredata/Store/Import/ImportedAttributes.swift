import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// Sets the attributes of an imported object.
enum ImportedAttributes {
  /// - Throws: a ``ToolError`` with the place of an attribute that the entity does not have, or of a value that does not fit.
  static func set(_ record: ImportedRecord, of object: NSManagedObject) throws {
    let entity = object.entity, attributes = entity.attributesByName
    for member in nested(record.attributes, attributes) {
      guard let attribute = attributes[member.name], !attribute.isTransient else {
        throw ToolError("\(record.place): \(record.entity) has no attribute “\(member.name)”.")
      }
      try set(member, attribute, of: object, record)
    }
  }

  /// - Throws: a ``ToolError`` with the place of a value that does not fit.
  static func set(
    _ member: ImportedMember, _ attribute: NSAttributeDescription, of object: NSManagedObject, _ record: ImportedRecord
  ) throws {
    // The store computes derived attributes.
    if attribute is NSDerivedAttributeDescription { return }
    do {
      set(try ImportedValue.make(member.value, attribute), attribute, of: object)
    } catch let mismatch as ImportedValue.Mismatch {
      throw Self.error(mismatch, member, record)
    }
  }

  static func error(_ mismatch: ImportedValue.Mismatch, _ member: ImportedMember, _ record: ImportedRecord) -> ToolError
  {
    ToolError(
      "\(record.place): \(record.entity).\(member.name): expected \(mismatch.expected), found \(member.value.text).")
  }

  private static func set(_ value: Any?, _ attribute: NSAttributeDescription, of object: NSManagedObject) {
    if attribute.attributeType == .transformableAttributeType, let bytes = value as? Data {
      // The bytes are stored unchanged: only the program that the store belongs to has the classes of the value.
      object.setStoredBytes(bytes, forKey: attribute.name)
    } else {
      object.setValue(value, forKey: attribute.name)
    }
  }

  /// Puts the elements of composite attributes together, which are separate columns in CSV.
  private static func nested(
    _ values: [ImportedMember], _ attributes: [String: NSAttributeDescription]
  ) -> [ImportedMember] {
    guard values.contains(where: { $0.name.utf8.contains(UInt8(ascii: ".")) }) else { return values }
    var result: [ImportedMember] = []
    for value in values {
      let parts = value.name.split(separator: ".", maxSplits: 1).map(String.init)
      guard parts.count == 2, attributes[value.name] == nil else {
        result.append(value)
        continue
      }
      var members: [ImportedMember] = []
      if let index = result.firstIndex(where: { $0.name == parts[0] }) {
        if case .object(let known) = result.remove(at: index).value { members = known }
      }
      members.append(ImportedMember(name: parts[1], value: value.value))
      result.append(ImportedMember(name: parts[0], value: .object(members)))
    }
    return result
  }
}
