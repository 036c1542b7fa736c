import OpenCocoaFoundation
import Foundation

/// Makes properties of their archived form, without what they lead to.
enum ArchivedProperty {
  /// The most attributes that one may be made of, far above what is in use.
  private static let mostElements = 500

  /// The property of an archived object; nil for kinds that are not read.
  static func property(_ object: ArchivedObject, name: String, entity: String) throws -> NSPropertyDescription? {
    let property: NSPropertyDescription
    if object.isKind(of: "NSAttributeDescription") {
      var budget = mostElements
      property = try attribute(object, name: name, entity: entity, budget: &budget)
    } else if object.isKind(of: "NSRelationshipDescription") {
      property = try relationship(object, name: name, entity: entity)
    } else {
      return nil
    }
    property.name = name
    property.isOptional = object.bool("NSIsOptional")
    property.isTransient = object.bool("NSIsTransient")
    property.isIndexed = object.bool("NSIsIndexed")
    property.versionHashModifier = object.string("NSVersionHashModifier")
    property.storedRenamingIdentifier = object.string("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
    property.userInfo = userInfo(object)
    return property
  }

  /// The user info of an archived entity or property.
  static func userInfo(_ object: ArchivedObject) -> [AnyHashable: Any] {
    Dictionary(
      object.entries("NSUserInfo").compactMap { key, value in
        object.archive.value(value).map { (AnyHashable(key), $0) }
      }, uniquingKeysWith: { $1 })
  }

  private static func attribute(
    _ object: ArchivedObject, name: String, entity: String, budget: inout Int
  ) throws -> NSAttributeDescription {
    guard let type = UInt(exactly: object.integer("NSAttributeType")).flatMap(NSAttributeType.init) else {
      throw ModelProblem.inconsistent(
        "\(object.integer("NSAttributeType")) is no attribute type.", entity: entity, property: name)
    }
    // A composite that contains itself would never end, and one of composites of composites hardly.
    budget -= 1
    guard budget > 0 else {
      throw ModelProblem.inconsistent("The composite has too many elements.", entity: entity, property: name)
    }
    let attribute: NSAttributeDescription
    if object.isKind(of: "NSDerivedAttributeDescription") {
      let derived = NSDerivedAttributeDescription()
      derived.derivationExpression = ArchivedDerivation.expression(object.object("NSDerivationExpression"))
      attribute = derived
    } else if object.isKind(of: "NSCompositeAttributeDescription") {
      let composite = NSCompositeAttributeDescription()
      composite.elements = try object.elements("NSCompositeElements").compactMap { value in
        guard let element = object.archive.object(value.uidValue), let name = element.string("NSPropertyName") else {
          return nil
        }
        let result = try Self.attribute(element, name: name, entity: entity, budget: &budget)
        result.name = name
        result.isOptional = element.bool("NSIsOptional")
        return result
      }
      attribute = composite
    } else {
      attribute = NSAttributeDescription()
    }
    attribute.attributeType = type
    attribute.storedValueClassName = object.string("NSAttributeValueClassName").flatMap {
      $0 == type.valueClassName ? nil : $0
    }
    attribute.valueTransformerName = object.string("NSValueTransformerName")
    attribute.defaultValue = defaultValue(object, type: type)
    attribute.allowsExternalBinaryDataStorage = object.integer("NSFlagsKey") & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = object.integer("NSFlagsKey") & 16 != 0
    attribute.limits = ArchivedLimits.read(object)
    return attribute
  }

  /// Older archives hold a truth value as a number.
  private static func defaultValue(_ object: ArchivedObject, type: NSAttributeType) -> Any? {
    let value = object.archive.value(object.fields["NSDefaultValue"])
    guard type == .booleanAttributeType, let number = value as? NSNumber else { return value }
    return NSNumber(value: number.boolValue)
  }

  private static func relationship(
    _ object: ArchivedObject, name: String, entity: String
  ) throws -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    guard let rule = UInt(exactly: object.integer("NSDeleteRule")).flatMap(NSDeleteRule.init) else {
      throw ModelProblem.inconsistent(
        "\(object.integer("NSDeleteRule")) is no delete rule.", entity: entity, property: name)
    }
    relationship.deleteRule = rule
    relationship.minCount = object.integer("NSMinCount")
    relationship.maxCount = object.integer("NSMaxCount")
    relationship.isOrdered = object.bool("NSIsOrdered")
    return relationship
  }
}
