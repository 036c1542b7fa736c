import OpenCocoaFoundation

extension ModelEncoder {
  /// Archives an index. Returns nil in a cache if the condition of the index cannot be archived: without its condition
  /// it would be another index.
  mutating func encode(
    _ index: NSFetchIndexDescription, of entity: NSEntityDescription
  ) throws -> PropertyListValue? {
    var condition = KeyedArchiveWriter.null
    if let predicate = index.partialIndexPredicate {
      guard let encoded = try archive(predicate) else { return nil }
      condition = encoded
    }
    let result = writer.reserve()
    let elements = try index.elements.map { element in
      var fields: [String: PropertyListValue] = [
        "NSPropertyName": writer.add(text: element.propertyName), "NSAscending": .bool(element.isAscending),
        "NSFetchIndexElementType": .integer(Int64(element.collationType.rawValue)), "NSFetchIndexDescription": result,
      ]
      if let described = element.storedProperty as? NSExpressionDescription {
        fields[ArchivedKey.indexedExpression] = try encode(described, in: nil, as: nil)
      }
      return writer.add(["NSFetchIndexElementDescription", "NSObject"], fields)
    }
    return writer.add(
      ["NSFetchIndexDescription", "NSObject"],
      [
        "NSIndexName": writer.add(text: index.name), "NSIndexElements": writer.add(array: elements),
        "NSPartialIndexPredicate": condition, "NSEntity": reference(entity),
      ], as: result)
  }
}
