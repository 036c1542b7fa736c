import Foundation
import OpenCocoaFoundation

import class OpenCocoaFoundation.NSExpression

/// Makes properties from their archived form. Relationships do not have their destination and inverse yet.
enum ArchivedProperty {
  /// Returns the property that an archived object holds.
  ///
  /// - Parameter allowsParts: whether expression descriptions and plain property descriptions, which no entity of a
  ///   model has, are allowed, and default values that do not fit the type.
  static func property(
    _ object: ArchivedObject, name: String, entity: String, allowsParts: Bool, _ embedded: EmbeddedArchives
  ) throws -> NSPropertyDescription {
    let property: NSPropertyDescription
    // An old cache holds an inherited property as a proxy.
    let object = object.className == "_NSPropertyDescriptionProxy" ? object.object("NSUnderlyingProperty") : object
    guard let object else {
      throw ModelProblem.inconsistent("The property is damaged.", entity: entity, property: name)
    }
    if object.isKind(of: "NSAttributeDescription") {
      var budget = NSCompositeAttributeDescription.mostElements
      property = try attribute(object, name: name, entity: entity, embedded, budget: &budget)
    } else if object.isKind(of: "NSRelationshipDescription") {
      property = try relationship(object, name: name, entity: entity)
    } else if object.isKind(of: "NSFetchedPropertyDescription") {
      let fetched = NSFetchedPropertyDescription()
      if let request = object.object("NSFetchRequest") {
        fetched.template = try ArchivedFetchRequest.template(
          request, entityName: object.string("_NSFetchRequestEntityName"), embedded)
      }
      property = fetched
    } else if allowsParts, object.isKind(of: "NSExpressionDescription") {
      property = try expression(object, name: name, entity: entity, embedded)
    } else if allowsParts, object.className == "NSPropertyDescription" {
      property = NSPropertyDescription()
    } else {
      throw ModelProblem.inconsistent("\(object.className) is no kind of property.", entity: entity, property: name)
    }
    if !allowsParts, let attribute = property as? NSAttributeDescription, let value = attribute.defaultValue,
      !DefaultValue.isValue(value, of: attribute.attributeType)
    {
      throw ModelProblem.inconsistent(
        "The default value “\(ValueText.of(value))” does not fit the type, \(attribute.attributeType.name).",
        entity: entity,
        property: name)
    }
    try readCommon(object, name: name, into: property, embedded)
    return property
  }

  /// Reads the fields that all kinds of properties have.
  private static func readCommon(
    _ object: ArchivedObject, name: String, into property: NSPropertyDescription, _ embedded: EmbeddedArchives
  ) throws {
    property.name = name
    property.isOptional = object.bool("NSIsOptional")
    property.isTransient = object.bool("NSIsTransient")
    property.isIndexed = object.bool("NSIsIndexed")
    property.isIndexedBySpotlight = object.bool(ArchivedKey.isIndexedBySpotlight)
    property.versionHashModifier = object.string("NSVersionHashModifier")
    property.storedRenamingIdentifier = object.string("NSRenamingIdentifier").flatMap { $0 == name ? nil : $0 }
    property.userInfo = try userInfo(object, embedded)
    try ArchivedLimits.read(object, into: property, embedded)
  }

  private static func expression(
    _ object: ArchivedObject, name: String, entity: String, _ embedded: EmbeddedArchives
  ) throws -> NSExpressionDescription {
    let property = NSExpressionDescription()
    property.expression = try embedded.object(object.fields[ArchivedKey.expression], of: NSExpression.self)
    property.expressionResultType = try attributeType(
      object.integer(ArchivedKey.expressionType), name: name, entity: entity)
    return property
  }

  private static func attributeType(_ number: Int, name: String, entity: String) throws -> NSAttributeType {
    guard let type = UInt(exactly: number).flatMap(NSAttributeType.init) else {
      throw ModelProblem.inconsistent("\(number) is no attribute type.", entity: entity, property: name)
    }
    return type
  }

  /// The user info of an archived entity or property.
  static func userInfo(_ object: ArchivedObject, _ embedded: EmbeddedArchives) throws -> [AnyHashable: Any] {
    Dictionary(
      try object.entries("NSUserInfo").compactMap { key, value in
        try embedded.value(value).map { (AnyHashable(key), $0) }
      }, uniquingKeysWith: { $1 })
  }

  private static func attribute(
    _ object: ArchivedObject, name: String, entity: String, _ embedded: EmbeddedArchives, budget: inout Int
  ) throws -> NSAttributeDescription {
    let type = try attributeType(object.integer("NSAttributeType"), name: name, entity: entity)
    // The budget limits the elements: a composite that contains itself would never end, and deeply nested composites
    // could have far too many.
    budget -= 1
    guard budget > 0 else {
      throw ModelProblem.inconsistent("The composite has too many elements.", entity: entity, property: name)
    }
    let attribute: NSAttributeDescription
    if object.isKind(of: "NSDerivedAttributeDescription") {
      let derived = NSDerivedAttributeDescription()
      derived.derivationExpression =
        try ArchivedDerivation.expression(object.object("NSDerivationExpression"))
        ?? embedded.object(object.fields["NSDerivationExpression"], of: NSExpression.self)
      derived.filteringPredicate = try embedded.object(object.fields["NSFilteringPredicate"], of: NSPredicate.self)
      attribute = derived
    } else if object.isKind(of: "NSCompositeAttributeDescription") {
      let composite = NSCompositeAttributeDescription()
      composite.elements = try object.elements("NSCompositeElements").compactMap { value in
        guard let element = object.archive.object(value.uidValue), let name = element.string("NSPropertyName") else {
          return nil
        }
        let result = try Self.attribute(element, name: name, entity: entity, embedded, budget: &budget)
        try readCommon(element, name: name, into: result, embedded)
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
    attribute.allowsCloudEncryption = object.bool(ArchivedKey.cloudEncryption)
    return attribute
  }

  /// Returns the default value. Older archives hold the default value of a Boolean attribute as a number.
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
