import Foundation

/// A probable mistake in a model: the model allows it, but its author probably did not mean it.
package struct ModelWarning: Equatable, Sendable {
  package let entity: String
  package let property: String?
  package let reason: String

  /// The warning as text: entity, property and reason.
  package var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}

extension NSManagedObjectModel {
  /// Probable mistakes in the model, independent of the kind of store, by entity and property.
  final var ownWarnings: [ModelWarning] {
    let byName = entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    return byName.flatMap { entity -> [ModelWarning] in
      let properties = entity.declaredProperties.sorted { $0.name < $1.name }
      return entity.ownWarnings + properties.flatMap(\.warnings)
    } + MandatoryCycles.warnings(of: byName)
  }
}

extension NSEntityDescription {
  fileprivate final var ownWarnings: [ModelWarning] {
    func warning(_ reason: String) -> ModelWarning { ModelWarning(entity: name ?? "", property: nil, reason: reason) }
    var found: [ModelWarning] = []
    let className = managedObjectClassName ?? ""
    if storedClassName == nil {
      found.append(warning("it names no class: its objects are plain NSManagedObjects"))
    } else if className.hasSuffix(".") || className.contains(" ") {
      found.append(warning("“\(className)” is no name of a class"))
    }
    if isAbstract, subentities.isEmpty {
      found.append(warning("it is abstract and has no subentity: there can be no objects of it"))
    }
    return found
  }
}

extension NSPropertyDescription {
  fileprivate final var warnings: [ModelWarning] {
    let reasons: [String]
    switch self {
    case let attribute as NSAttributeDescription: reasons = attribute.doubts
    case let relationship as NSRelationshipDescription: reasons = relationship.doubts
    default: reasons = []
    }
    return (ReservedNames.doubts(about: name) + reasons).map {
      ModelWarning(entity: owner?.name ?? "", property: name, reason: $0)
    }
  }
}

extension NSRelationshipDescription {
  fileprivate final var doubts: [String] {
    var doubts: [String] = []
    if inverseRelationship == nil {
      doubts.append("it has no inverse: nothing clears it when its destination is deleted")
    }
    if let inverse = inverseRelationship, hasUnevenInverse {
      let back = inverse.inverseRelationship.map { "\($0.owner?.name ?? "").\($0.name)" } ?? "none"
      doubts.append(
        "its inverse is \(inverse.owner?.name ?? "").\(inverse.name), whose own inverse is \(back): "
          + "each has the inverse that it names follow, and the two need not agree")
    }
    if deleteRule == .noActionDeleteRule, inverseRelationship != nil {
      doubts.append("with the delete rule No Action its inverse may lead to deleted objects")
    }
    if maxCount > 0, minCount > maxCount {
      doubts.append("its smallest count, \(minCount), is above its largest, \(maxCount)")
    }
    return doubts
  }
}

extension NSAttributeDescription {
  fileprivate final var doubts: [String] {
    var doubts: [String] = []
    if let minimum = limits.minimum, let maximum = limits.maximum, minimum > maximum {
      doubts.append("its smallest value, \(minimum), is above its largest, \(maximum)")
    }
    if let earliest = limits.earliest, let latest = limits.latest, earliest > latest {
      doubts.append("its earliest date is after its latest")
    }
    if let pattern = limits.pattern, (try? NSRegularExpression(pattern: pattern)) == nil {
      doubts.append("its pattern is no regular expression: \(pattern)")
    }
    if !defaultMeetsLimits {
      doubts.append(
        "its default value, \(defaultValueText ?? ""), does not meet: \(constraintTexts.joined(separator: ", "))")
    }
    if attributeType == .transformableAttributeType, !isTransient, valueTransformerName == nil {
      doubts.append("it names no value transformer")
    }
    return doubts
  }

  /// Whether the default value meets the limits. The values are compared directly, not with predicates, because a
  /// pattern or value of a damaged model must not stop the program.
  private final var defaultMeetsLimits: Bool {
    switch (attributeType, defaultValue) {
    case (.stringAttributeType, let text as String):
      let length = Decimal(text.utf16.count)  // as NSString counts
      let isMatch =
        limits.pattern.map { text.range(of: "^(?:\($0))$", options: .regularExpression) != nil } ?? true
      return length >= limits.minimum ?? length && length <= limits.maximum ?? length && isMatch
    case (.dateAttributeType, let date as Date):
      return date >= limits.earliest ?? date && date <= limits.latest ?? date
    case (_, let number as NSNumber):
      // Decimal has no infinity: the conversion of an infinite number would stop the program.
      guard number.doubleValue.isFinite else { return limits.minimum == nil && limits.maximum == nil }
      let value = number.exactDecimal
      return value >= limits.minimum ?? value && value <= limits.maximum ?? value
    default: return true
    }
  }
}
