import OpenCoreData

/// The value that is printed of each object: the value at a key path, or all elements of a composite attribute.
package struct QueryColumn {
  package let name: String
  /// The key paths of the elements of a composite attribute; for any other column the column's own key path.
  package let keyPaths: [String]
  private let isComposite: Bool

  package init(_ name: String, of entity: String, in store: any QueriedStore) throws {
    self.name = name
    let elements = try store.elements(of: name, in: entity)
    isComposite = !elements.isEmpty
    keyPaths = isComposite ? elements : [name]
  }

  package func json(_ values: [InspectedValue]) -> String {
    guard isComposite else { return values.first.map(ValueText.json) ?? "null" }
    let paths = keyPaths.map { $0.dropFirst(name.count + 1).split(separator: ".")[...] }
    return ExportedObject.nested(zip(paths, values).map { ($0, $1) })
  }
}
