import Foundation
import OpenCocoaFoundation

extension ModelEncoder {
  /// Archives a property of an entity. `entity` is nil for a property that no entity has: an element of a composite
  /// attribute, or an expression description of an index or a fetch request.
  mutating func encode(
    _ property: NSPropertyDescription, in entity: NSEntityDescription?, as reserved: PropertyListValue?
  ) throws -> PropertyListValue {
    var fields = try validation(of: property)
    var classes = ["NSPropertyDescription", "NSObject"]
    switch property {
    case let attribute as NSAttributeDescription:
      fields.merge(try self.fields(of: attribute)) { $1 }
      classes.insert("NSAttributeDescription", at: 0)
      if attribute is NSDerivedAttributeDescription { classes.insert("NSDerivedAttributeDescription", at: 0) }
      if attribute is NSCompositeAttributeDescription { classes.insert("NSCompositeAttributeDescription", at: 0) }
    case let relationship as NSRelationshipDescription:
      fields.merge(self.fields(of: relationship)) { $1 }
      classes.insert("NSRelationshipDescription", at: 0)
    case let fetched as NSFetchedPropertyDescription:
      fields.merge(try self.fields(of: fetched)) { $1 }
      classes.insert("NSFetchedPropertyDescription", at: 0)
    case let described as NSExpressionDescription:
      if let expression = described.expression { fields[ArchivedKey.expression] = try archive(expression) }
      fields[ArchivedKey.expressionType] = .integer(Int64(described.expressionResultType.rawValue))
      classes.insert("NSExpressionDescription", at: 0)
    default: break
    }
    fields["NSPropertyName"] = writer.add(text: property.name)
    fields["NSRenamingIdentifier"] = writer.add(text: property.renamingIdentifier)
    fields["NSEntity"] = reference(entity)
    if property.isOptional { fields["NSIsOptional"] = .bool(true) }
    if property.isTransient { fields["NSIsTransient"] = .bool(true) }
    if property.isIndexed { fields["NSIsIndexed"] = .bool(true) }
    if property.isIndexedBySpotlight { fields[ArchivedKey.isIndexedBySpotlight] = .bool(true) }
    if isReadOnly(property) { fields["NSIsReadOnly"] = .bool(true) }
    if let modifier = property.versionHashModifier { fields["NSVersionHashModifier"] = writer.add(text: modifier) }
    if property.userInfo?.isEmpty == false { fields["NSUserInfo"] = userInfo(property.userInfo) }
    fields["_P"] = .integer(flags(of: property, fields))
    return writer.add(classes, fields, as: reserved)
  }

  private func isReadOnly(_ property: NSPropertyDescription) -> Bool {
    property is NSDerivedAttributeDescription || property is NSFetchedPropertyDescription
  }

  /// The bits that sum up a property: 1 always, 2 optional, 4 read-only, 8 transient, 48 no validation, 64 no user
  /// info, 128 no hash modifier, 1024 ordered.
  private func flags(of property: NSPropertyDescription, _ fields: [String: PropertyListValue]) -> Int64 {
    var flags: Int64 = 1
    if property.isOptional { flags |= 2 }
    if isReadOnly(property) { flags |= 4 }
    if property.isTransient { flags |= 8 }
    if fields["NSValidationPredicates"] == nil { flags |= 48 }
    if fields["NSUserInfo"] == nil { flags |= 64 }
    if fields["NSVersionHashModifier"] == nil { flags |= 128 }
    if (property as? NSRelationshipDescription)?.isOrdered == true { flags |= 1024 }
    return flags
  }

  /// Returns the fields for the validation predicates and the limits of a property; an empty dictionary if it has
  /// neither.
  private mutating func validation(of property: NSPropertyDescription) throws -> [String: PropertyListValue] {
    var predicates: [PropertyListValue] = []
    var warnings: [PropertyListValue] = []
    // The limits come first, because a reader takes the first predicate of a kind for the limit.
    if let attribute = property as? NSAttributeDescription {
      for limit in attribute.limits.list(for: attribute.attributeType) {
        predicates.append(ArchivedLimits.add(limit, to: &writer))
        warnings.append(writer.add(.integer(Int64(limit.violation.rawValue))))
      }
    }
    for (predicate, warning) in zip(property.storedValidationPredicates, property.storedValidationWarnings) {
      guard let encoded = try archive(predicate) else { continue }
      predicates.append(encoded)
      warnings.append(writer.add(value: warning))
    }
    if predicates.isEmpty { return [:] }
    return [
      "NSValidationPredicates": writer.add(array: predicates), "NSValidationWarnings": writer.add(array: warnings),
    ]
  }

  private mutating func fields(of attribute: NSAttributeDescription) throws -> [String: PropertyListValue] {
    var fields: [String: PropertyListValue] = [:]
    fields["NSAttributeType"] = .integer(Int64(attribute.attributeType.rawValue))
    fields["NSAttributeValueClassName"] = writer.add(text: attribute.attributeValueClassName)
    fields["NSDefaultValue"] = writer.add(value: attribute.defaultValue)
    fields["NSValueTransformerName"] = writer.add(text: attribute.valueTransformerName)
    fields["NSFlagsKey"] = .integer(
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0) + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0))
    if attribute.allowsCloudEncryption { fields[ArchivedKey.cloudEncryption] = .bool(true) }
    if let derived = attribute as? NSDerivedAttributeDescription {
      if let expression = derived.derivationExpression {
        fields["NSDerivationExpression"] = try ArchivedDerivation.add(expression, to: &writer) ?? archive(expression)
      } else {
        fields["NSDerivationExpression"] = KeyedArchiveWriter.null
      }
      fields["NSFilteringPredicate"] =
        try derived.filteringPredicate.flatMap { try archive($0) } ?? KeyedArchiveWriter.null
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      let elements = try composite.elements.map { try encode($0, in: nil, as: nil) }
      fields["NSCompositeElements"] = writer.add(array: elements)
    }
    return fields
  }

  private mutating func fields(of relationship: NSRelationshipDescription) -> [String: PropertyListValue] {
    let inverse = relationship.inverseRelationship
    var fields = [
      "NSDestinationEntity": reference(relationship.destinationEntity),
      "_NSDestinationEntityName": writer.add(text: relationship.destinationEntity?.name),
      "NSInverseRelationship": inverse.flatMap { properties[ObjectIdentifier($0)] } ?? KeyedArchiveWriter.null,
      "_NSInverseRelationshipName": writer.add(text: inverse?.name),
      "NSDeleteRule": .integer(Int64(relationship.deleteRule.rawValue)),
      "NSMinCount": .integer(Int64(relationship.minCount)), "NSMaxCount": .integer(Int64(relationship.maxCount)),
    ]
    if relationship.isOrdered { fields["NSIsOrdered"] = .bool(true) }
    return fields
  }

  private mutating func fields(of fetched: NSFetchedPropertyDescription) throws -> [String: PropertyListValue] {
    guard let template = fetched.template, let request = try ArchivedFetchRequest.add(template, to: &self) else {
      return ["NSFetchRequest": KeyedArchiveWriter.null]
    }
    let name = entityName(of: template)
    return ["NSFetchRequest": request, "_NSFetchRequestEntityName": writer.add(text: name)]
  }
}
