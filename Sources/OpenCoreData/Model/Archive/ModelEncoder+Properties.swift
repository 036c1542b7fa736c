import OpenCocoaFoundation

extension ModelEncoder {
  /// Archives a property as a member of an entity. Nil for kinds that are not written.
  mutating func encode(
    _ property: NSPropertyDescription, in entity: NSEntityDescription?, as reserved: PropertyListValue?
  ) -> PropertyListValue? {
    var fields: [String: PropertyListValue]
    var classes = ["NSPropertyDescription", "NSObject"]
    switch property {
    case let attribute as NSAttributeDescription:
      fields = self.fields(of: attribute)
      classes.insert("NSAttributeDescription", at: 0)
      if attribute is NSDerivedAttributeDescription { classes.insert("NSDerivedAttributeDescription", at: 0) }
      if attribute is NSCompositeAttributeDescription { classes.insert("NSCompositeAttributeDescription", at: 0) }
    case let relationship as NSRelationshipDescription:
      fields = self.fields(of: relationship)
      classes.insert("NSRelationshipDescription", at: 0)
    default: return nil
    }
    fields["NSPropertyName"] = writer.add(text: property.name)
    fields["NSRenamingIdentifier"] = writer.add(text: property.renamingIdentifier)
    fields["NSEntity"] = reference(entity)
    if property.isOptional { fields["NSIsOptional"] = .bool(true) }
    if property.isTransient { fields["NSIsTransient"] = .bool(true) }
    if property.isIndexed { fields["NSIsIndexed"] = .bool(true) }
    if property is NSDerivedAttributeDescription { fields["NSIsReadOnly"] = .bool(true) }
    if let modifier = property.versionHashModifier { fields["NSVersionHashModifier"] = writer.add(text: modifier) }
    if property.userInfo?.isEmpty == false { fields["NSUserInfo"] = userInfo(property.userInfo) }
    fields["_P"] = .integer(flags(of: property, fields))
    return writer.add(classes, fields, as: reserved)
  }

  /// The bits that sum up a property: 1 always, 2 optional, 4 derived, 8 transient, 48 no validation, 64 no user
  /// info, 128 no hash modifier, 1024 ordered.
  private func flags(of property: NSPropertyDescription, _ fields: [String: PropertyListValue]) -> Int64 {
    var flags: Int64 = 1
    if property.isOptional { flags |= 2 }
    if property is NSDerivedAttributeDescription { flags |= 4 }
    if property.isTransient { flags |= 8 }
    if fields["NSValidationPredicates"] == nil { flags |= 48 }
    if fields["NSUserInfo"] == nil { flags |= 64 }
    if fields["NSVersionHashModifier"] == nil { flags |= 128 }
    if (property as? NSRelationshipDescription)?.isOrdered == true { flags |= 1024 }
    return flags
  }

  private mutating func fields(of attribute: NSAttributeDescription) -> [String: PropertyListValue] {
    var fields = ArchivedLimits.fields(of: attribute, &writer)
    fields["NSAttributeType"] = .integer(Int64(attribute.attributeType.rawValue))
    fields["NSAttributeValueClassName"] = writer.add(text: attribute.attributeValueClassName)
    fields["NSDefaultValue"] = writer.add(value: attribute.defaultValue)
    fields["NSValueTransformerName"] = writer.add(text: attribute.valueTransformerName)
    fields["NSFlagsKey"] = .integer(
      (attribute.allowsExternalBinaryDataStorage ? 4 : 0) + (attribute.preservesValueInHistoryOnDeletion ? 16 : 0))
    if let derived = attribute as? NSDerivedAttributeDescription {
      fields["NSDerivationExpression"] = ArchivedDerivation.add(derived.derivationExpression, to: &writer)
      fields["NSFilteringPredicate"] = KeyedArchiveWriter.null
    }
    if let composite = attribute as? NSCompositeAttributeDescription {
      fields["NSCompositeElements"] = writer.add(array: composite.elements.compactMap { encode($0, in: nil, as: nil) })
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
}
