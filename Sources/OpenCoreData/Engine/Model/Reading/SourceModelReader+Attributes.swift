import Foundation

extension SourceModelReader {
  /// The names of attribute types in source models.
  static let types: [String: NSAttributeType] = [
    "Integer 16": .integer16AttributeType, "Integer 32": .integer32AttributeType,
    "Integer 64": .integer64AttributeType, "Decimal": .decimalAttributeType, "Double": .doubleAttributeType,
    "Float": .floatAttributeType, "String": .stringAttributeType, "Boolean": .booleanAttributeType,
    "Date": .dateAttributeType, "Binary": .binaryDataAttributeType, "UUID": .UUIDAttributeType,
    "URI": .URIAttributeType, "Transformable": .transformableAttributeType, "Composite": .compositeAttributeType,
    "Undefined": .undefinedAttributeType,
  ]

  /// Reads an attribute of an entity.
  func attribute(_ element: XMLElementTree, entity: String) throws -> NSAttributeDescription {
    var budget = NSCompositeAttributeDescription.mostElements
    return try attribute(element, entity: entity, outer: [], budget: &budget)
  }

  /// Reads an attribute of an entity, or an element of a composite; `outer` has the names of the composites that
  /// contain it.
  private func attribute(
    _ element: XMLElementTree, entity: String, outer: [String], budget: inout Int
  ) throws -> NSAttributeDescription {
    guard let name = element["name"], !name.isEmpty else {
      throw ModelProblem.inconsistent("An attribute has no name.", entity: entity)
    }
    do {
      budget -= 1
      guard budget > 0 else { throw ModelProblem.inconsistent("The composite has too many elements.") }
      let attribute = try emptyAttribute(element, entity: entity, outer: outer, budget: &budget)
      readCommon(element, into: attribute)
      attribute.attributeType = try type(element)
      attribute.storedValueClassName = className(element["customClassName"])
      attribute.valueTransformerName = element["valueTransformerName"].flatMap { $0.isEmpty ? nil : $0 }
      attribute.usesScalarValueType = element.flag("usesScalarValueType")
      attribute.allowsExternalBinaryDataStorage = element.flag("allowsExternalBinaryDataStorage")
      attribute.preservesValueInHistoryOnDeletion = element.flag("preserveAfterDeletion")
      attribute.allowsCloudEncryption = element.flag("allowsCloudEncryption")
      attribute.defaultValue = try DefaultValue.read(element, type: attribute.attributeType)
      attribute.limits = try limits(element, type: attribute.attributeType)
      return attribute
    } catch var problem as ModelProblem {
      problem.entity = problem.entity ?? entity
      problem.property = problem.property ?? name
      throw problem
    }
  }

  /// Reads the settings that all kinds of properties have.
  func readCommon(_ element: XMLElementTree, into property: NSPropertyDescription) {
    property.name = element["name"] ?? ""
    property.isOptional = element.flag("optional")
    property.isTransient = element.flag("transient")
    property.isIndexed = element.flag("indexed")
    property.isIndexedBySpotlight = element.flag("spotlightIndexingEnabled")
    property.versionHashModifier = element["versionHashModifier"]
    property.storedRenamingIdentifier = element["elementID"]
    property.userInfo = userInfo(element)
  }

  private func type(_ element: XMLElementTree) throws -> NSAttributeType {
    guard let text = element["attributeType"] else {
      if element.flag("transient") { return .undefinedAttributeType }
      throw ModelProblem.inconsistent("The attribute has no type, which only transient attributes may lack.")
    }
    guard let type = Self.types[text] else { throw ModelProblem.inconsistent("“\(text)” is no attribute type.") }
    return type
  }

  private func emptyAttribute(
    _ element: XMLElementTree, entity: String, outer: [String], budget: inout Int
  ) throws -> NSAttributeDescription {
    if element.flag("derived") {
      guard let text = element["derivationExpression"], let expression = DerivationText.expression(text) else {
        throw ModelProblem.inconsistent(
          "The derivation expression is “\(element["derivationExpression"] ?? "")”, which is none.")
      }
      let derived = NSDerivedAttributeDescription()
      derived.derivationExpression = expression
      return derived
    }
    guard element["attributeType"] == "Composite" else { return NSAttributeDescription() }
    let name = element["composite"] ?? ""
    guard let definition = composites[name] else { throw ModelProblem.inconsistent("There is no composite “\(name)”.") }
    guard !outer.contains(name) else { throw ModelProblem.inconsistent("The composite “\(name)” contains itself.") }
    let composite = NSCompositeAttributeDescription()
    composite.elements = try definition.children(named: "attribute").map {
      try attribute($0, entity: entity, outer: outer + [name], budget: &budget)
    }
    return composite
  }

  private func limits(_ element: XMLElementTree, type: NSAttributeType) throws -> AttributeLimits {
    var limits = AttributeLimits()
    func number(_ attribute: String) throws -> Decimal? {
      guard let text = element[attribute], !text.isEmpty else { return nil }
      guard let value = DefaultValue.decimal(text) else {
        throw ModelProblem.inconsistent("\(attribute) is “\(text)”, not a number.")
      }
      return value
    }
    func date(_ attribute: String) throws -> Date? {
      guard let text = element[attribute] else { return nil }
      guard let interval = Double(text) else {
        throw ModelProblem.inconsistent("\(attribute) is “\(text)”, not a number of seconds.")
      }
      return Date(timeIntervalSinceReferenceDate: interval)
    }
    if type == .dateAttributeType {
      limits.earliest = try date("minDateTimeInterval")
      limits.latest = try date("maxDateTimeInterval")
    } else {
      limits.minimum = try number("minValueString")
      limits.maximum = try number("maxValueString")
      limits.pattern = element["regularExpressionString"]
    }
    return limits
  }
}
