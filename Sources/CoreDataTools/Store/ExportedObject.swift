import Foundation
import OpenCoreData

/// Writes objects as text.
package enum ExportedObject {
  /// The name of the member, or of the column, that has an object's reference. No property can have this name, because
  /// the name of a property has no “@”.
  package static let referenceName = "@id"
  /// What the reference was called by earlier versions of this library. A property may have the same name.
  package static let formerReferenceName = "id"

  /// Returns an object as one line of JSON.
  package static func json(_ object: InspectedObject) -> String {
    let toOnes = object.toOnes.map { ($0.name, $0.destination.map { ValueText.json($0.text) } ?? "null") }
    let toManys = object.toManys.map { name, members in
      (name, "[\(members.map { ValueText.json($0.text) }.joined(separator: ", "))]")
    }
    let relationships = (toOnes + toManys).sorted { $0.0 < $1.0 }.map { "\(ValueText.json($0.0)): \($0.1)" }
    let attributes = nested(object.attributes.map { ($0.keyPath.split(separator: ".")[...], $0.value) })
    return
      "{\(ValueText.json(referenceName)): \(ValueText.json(object.reference.text)), \"attributes\": \(attributes), "
      + "\"relationships\": {\(relationships.joined(separator: ", "))}}"
  }

  /// Returns values by key path as JSON; the elements of a composite attribute are in a nested object.
  package static func nested(_ values: [(path: ArraySlice<Substring>, value: InspectedValue)]) -> String {
    var parts: [String] = []
    var index = 0
    while index < values.count {
      guard let name = values[index].path.first else { break }
      var end = index + 1
      while end < values.count, values[end].path.first == name { end += 1 }
      let members = values[index..<end]
      let value =
        values[index].path.count > 1
        ? nested(members.map { ($0.path.dropFirst(), $0.value) }) : ValueText.json(values[index].value)
      parts.append("\(ValueText.json(String(name))): \(value)")
      index = end
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  /// Returns the CSV line with the names of the columns of an entity's table.
  package static func csvHeader(of entity: String, in store: any QueriedStore) throws -> String {
    let names = try [referenceName] + store.valueColumns(of: entity) + store.toManyNames(of: entity)
    return names.map { ValueText.csv($0) }.joined(separator: ",")
  }

  /// Returns the CSV line of an object: the attributes, then the to-one and the to-many relationships.
  package static func csv(_ object: InspectedObject) -> String {
    var fields = [object.reference.text] as [String?]
    fields += object.attributes.map { ValueText.plain($0.value) }
    fields += object.toOnes.map { $0.destination?.text }
    fields += object.toManys.map { $0.members.isEmpty ? nil : $0.members.map(\.text).joined(separator: " ") }
    return fields.map { ValueText.csv($0) }.joined(separator: ",")
  }
}
