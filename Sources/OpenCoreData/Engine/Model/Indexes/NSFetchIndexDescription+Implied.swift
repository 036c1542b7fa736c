extension NSFetchIndexDescription {
  /// Whether `isIndexed` of the property already stands for this index.
  final var isImpliedByProperty: Bool {
    guard elements.count == 1, let property = elements[0].property else { return false }
    return property.isIndexed && property.name == name && elements[0].isAscending
      && elements[0].collationType == .binary && partialIndexPredicate == nil
  }
}

extension NSEntityDescription {
  /// The indexes that `isIndexed` of the entity's own properties stands for. They have the names of the properties.
  final var impliedIndexes: [NSFetchIndexDescription] {
    declaredProperties.filter { $0.isIndexed && !$0.isTransient }.map { property in
      NSFetchIndexDescription(
        name: property.name,
        elements: [NSFetchIndexElementDescription(property: property, collationType: .binary)])
    }
  }
}
