import Foundation

/// The names of entities and properties in XML stores: entities in upper case, properties in lower case, as Apple's
/// framework writes them. Names that differ only in case stay as they are.
struct XMLStoreNames {
  struct Property {
    let slot: PropertySlot
    let name: String
    /// The type of an attribute; for a relationship, its minimum and maximum count.
    let type: String
    /// The name in the file of a relationship's destination entity; empty for an attribute.
    let destination: String
  }

  final class Entity {
    let entity: NSEntityDescription
    let name: String
    let properties: [Property]
    private let places: [String: Int]

    fileprivate init(_ entity: NSEntityDescription, _ name: String, _ properties: [Property]) {
      self.entity = entity
      self.name = name
      self.properties = properties
      places = Dictionary(properties.indices.map { (properties[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the property with this name in a file, regardless of case.
    func property(_ name: String) -> Property? { (places[name] ?? places[name.lowercased()]).map { properties[$0] } }
  }

  /// The entities by their number in the model.
  let byNumber: [Int: Entity]
  private let byName: [String: Entity]

  init(_ entities: [NSEntityDescription]) {
    let names = Self.names(entities.map { $0.name ?? "" }) { $0.uppercased() }
    var byNumber: [Int: Entity] = [:]
    for entity in entities {
      let slots = entity.layout.slotsInFiles
      let properties = Self.names(slots.map(\.name)) { $0.lowercased() }
      byNumber[entity.storeNumber] = Entity(
        entity, names[entity.name ?? ""] ?? "",
        slots.map { slot in
          Property(
            slot: slot, name: properties[slot.name] ?? "", type: Self.type(slot),
            destination: slot.destination.flatMap { names[$0.name ?? ""] } ?? "")
        })
    }
    self.byNumber = byNumber
    byName = Dictionary(byNumber.values.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the entity with this name in a file, regardless of case.
  func entity(_ name: String) -> Entity? { byName[name] ?? byName[name.uppercased()] }

  private static func names(_ names: [String], _ fold: (String) -> String) -> [String: String] {
    let folded = Dictionary(grouping: names, by: fold)
    return Dictionary(
      names.map { ($0, (folded[fold($0)]?.count ?? 0) > 1 ? $0 : fold($0)) }, uniquingKeysWith: { first, _ in first })
  }

  private static func type(_ slot: PropertySlot) -> String {
    switch slot.kind {
    case .int16: "int16"
    case .int32: "int32"
    case .int64: "int64"
    case .bool: "bool"
    case .double: "double"
    case .float: "float"
    case .decimal: "decimal"
    case .string: "string"
    case .date: "date"
    case .data, .transformable: "binary"
    case .uuid: "uuid"
    case .uri: "uri"
    case .anything, .composite: ""
    case .toOne, .toMany: "\(slot.relationship.minCount)/\(slot.relationship.maxCount)"
    }
  }
}
