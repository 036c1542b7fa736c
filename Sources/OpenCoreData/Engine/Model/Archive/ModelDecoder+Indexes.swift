import Foundation
import OpenCocoaFoundation

extension ModelDecoder {
  /// Reads uniqueness constraints, fetch indexes and compound indexes of an entity that already has its properties.
  func readIndexes(of entity: NSEntityDescription, _ object: ArchivedObject) throws {
    entity.uniquenessConstraints = groups(object, "NSUniqueTuples")
    // Apple's framework derives some indexes from other declarations when a model is loaded: an index named like an
    // indexed property, and the compound index beside a fetch index of several elements. These are not declared a
    // second time.
    entity.indexes = try object.elements("NSFetchIndexDescriptions").compactMap { value in
      try object.archive.object(value.uidValue).flatMap { try index($0, of: entity) }
    }.filter { !$0.isImpliedByProperty }
    var compound = groups(object, "NSCompoundIndexes")
    for index in entity.indexes {
      let names = index.elements.compactMap(\.propertyName)
      if let implied = compound.firstIndex(of: names) { compound.remove(at: implied) }
    }
    entity.compoundIndexes = compound
  }

  private func groups(_ object: ArchivedObject, _ key: String) -> [[String]] {
    object.elements(key).map { group in
      let names = object.archive.object(group.uidValue)?.fields["NS.objects"]?.arrayValue ?? []
      return names.compactMap(object.archive.string)
    }
  }

  /// Returns the expression description that an index element has in place of a property.
  private func expression(
    _ element: ArchivedObject, _ name: String, of entity: NSEntityDescription
  ) throws -> NSPropertyDescription? {
    try element.object(ArchivedKey.indexedExpression).map {
      try ArchivedProperty.property($0, name: name, entity: entity.name ?? "", allowsParts: true, embedded)
    }
  }

  private func index(_ object: ArchivedObject, of entity: NSEntityDescription) throws -> NSFetchIndexDescription? {
    let elements = try object.elements("NSIndexElements").compactMap { value -> NSFetchIndexElementDescription? in
      guard let element = object.archive.object(value.uidValue), let name = element.string("NSPropertyName"),
        let property = try entity.findProperty(name) ?? expression(element, name, of: entity)
      else { return nil }
      let result = NSFetchIndexElementDescription(
        property: property,
        collationType: NSFetchIndexElementType(rawValue: UInt(max(0, element.integer("NSFetchIndexElementType"))))
          ?? .binary)
      result.isAscending = element.fields["NSAscending"] == nil || element.bool("NSAscending")
      return result
    }
    // If an element could not be read, the whole index is left out: an index of the other elements is not the one that
    // was declared.
    guard elements.count == object.elements("NSIndexElements").count else { return nil }
    let index = NSFetchIndexDescription(name: object.string("NSIndexName") ?? "", elements: elements)
    index.partialIndexPredicate = try embedded.object(object.fields["NSPartialIndexPredicate"], of: NSPredicate.self)
    return index
  }
}
