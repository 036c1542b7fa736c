import OpenCoreData

extension ModelSummary {
  /// Summarizes a model, with everything sorted by name.
  package init(_ input: ModelInput) { self.init(input.model, file: input.url.path, form: input.form) }

  /// Creates the summary of a model, with everything sorted by name.
  /// - Parameters:
  ///   - model: The model.
  ///   - file: The path of the file that the model was read from.
  ///   - form: The form that the model was read from.
  public init(_ model: NSManagedObjectModel, file: String, form: ModelForm) {
    self.file = file
    self.form = form
    versionIdentifiers = model.versionIdentifiers.map { "\($0)" }.filter { !$0.isEmpty }.sorted()
    checksum = model.versionChecksum
    entities = model.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }.map(Entity.init)
    configurations = model.configurations.map { name in
      let members = model.entities(forConfigurationName: name) ?? []
      return Configuration(name: name, entities: members.compactMap(\.name).sorted())
    }
    fetchRequests = model.fetchRequestTemplatesByName.sorted { $0.key < $1.key }.map { name, request in
      FetchRequest(
        name: name, entity: request.entityName, predicate: request.predicate?.description,
        fetchLimit: request.fetchLimit)
    }
  }
}

extension ModelSummary.Entity {
  package init(_ entity: NSEntityDescription) {
    let properties = entity.declaredProperties.sorted { $0.name < $1.name }
    name = entity.name ?? ""
    className = entity.managedObjectClassName
    superentity = entity.superentity?.name
    isAbstract = entity.isAbstract
    renamingIdentifier = entity.renamingIdentifier.flatMap { $0 == entity.name ? nil : $0 }
    versionHashModifier = entity.versionHashModifier
    attributes = properties.compactMap { $0 as? NSAttributeDescription }.map(ModelSummary.Attribute.init)
    relationships = properties.compactMap { $0 as? NSRelationshipDescription }.map(ModelSummary.Relationship.init)
    fetchedProperties = properties.compactMap { $0 as? NSFetchedPropertyDescription }.map { property in
      let request = property.fetchRequest
      return .init(
        name: property.name, entity: request?.entityName, predicate: request?.predicate?.description)
    }
    indexes = entity.indexes.sorted { $0.name < $1.name }.map { .init(name: $0.name, definition: $0.text) }
    uniquenessConstraints = entity.uniquenessConstraintNames
    compoundIndexes = entity.compoundIndexNames
    userInfo = texts(entity.userInfo)
  }
}

extension ModelSummary.Attribute {
  package init(_ attribute: NSAttributeDescription) {
    name = attribute.name
    type = attribute.attributeType.name
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    defaultValue = attribute.defaultValueText
    constraints = attribute.constraintTexts
    derivation = (attribute as? NSDerivedAttributeDescription)?.derivationText
    elements = attribute.elementsText
    // For other attribute types, the class follows from the type.
    let isCustom = [.transformableAttributeType, .undefinedAttributeType].contains(attribute.attributeType)
    valueClass = isCustom ? attribute.attributeValueClassName : nil
    transformer = attribute.valueTransformerName
    isIndexed = attribute.isIndexed
    usesExternalStorage = attribute.allowsExternalBinaryDataStorage
    usesScalar = attribute.usesScalarValueType
    renamingIdentifier = attribute.renamingIdentifier.flatMap { $0 == attribute.name ? nil : $0 }
    versionHashModifier = attribute.versionHashModifier
    userInfo = texts(attribute.userInfo)
  }
}

extension ModelSummary.Relationship {
  package init(_ relationship: NSRelationshipDescription) {
    name = relationship.name
    destination = relationship.destinationEntity?.name
    inverse = relationship.inverseRelationship?.name
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isOptional = relationship.isOptional
    isTransient = relationship.isTransient
    minCount = relationship.minCount
    maxCount = relationship.maxCount
    count = relationship.countText
    deleteRule = relationship.deleteRule.name
    renamingIdentifier = relationship.renamingIdentifier.flatMap { $0 == relationship.name ? nil : $0 }
    versionHashModifier = relationship.versionHashModifier
    userInfo = texts(relationship.userInfo)
  }
}

/// Returns the user info as text.
private func texts(_ info: [AnyHashable: Any]?) -> [String: String] {
  Dictionary((info ?? [:]).map { ("\($0.key)", "\($0.value)") }, uniquingKeysWith: { first, _ in first })
}
