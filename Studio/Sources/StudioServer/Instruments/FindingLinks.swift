import CoreData
import CoreDataTools
import Foundation
import InstrumentsAnalysis

/// A store of the studio that a recording is about: its name here, and what it has.
struct RecordedStore: Sendable {
  enum Kind: Sendable { case text, number, date, flag, object, other }

  let name: String
  /// The kinds of properties, by entity and property.
  let entities: [String: [String: Kind]]
  /// The destinations of relationships, by entity and relationship.
  let destinations: [String: [String: String]]

  init(_ name: String, _ model: NSManagedObjectModel) {
    self.name = name
    entities = model.entitiesByName.mapValues { entity in
      entity.propertiesByName.mapValues { property in
        guard let attribute = property as? NSAttributeDescription else { return .object }
        switch attribute.attributeType {
        case .stringAttributeType: return .text
        case .dateAttributeType: return .date
        case .booleanAttributeType: return .flag
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
          .floatAttributeType, .decimalAttributeType:
          return .number
        default: return .other
        }
      }
    }
    destinations = model.entitiesByName.mapValues {
      $0.relationshipsByName.compactMapValues { $0.destinationEntity?.name }
    }
  }

  /// The kind of what a key path leads to.
  func kind(_ keyPath: String, of entity: String) -> Kind? {
    var entity = entity
    let keys = keyPath.split(separator: ".").map(String.init)
    for key in keys.dropLast() {
      guard let next = destinations[entity]?[key] else { return nil }
      entity = next
    }
    return keys.last.flatMap { entities[entity]?[$0] }
  }
}

/// Where a finding leads to: the entity it is about, and the fetch with its explanation, in the stores of the studio.
struct FindingLinks: Sendable {
  private let stores: [RecordedStore]

  init(_ stores: [RecordedStore]) { self.stores = stores }

  func links(of finding: Finding) -> [InstrumentsPage.Link] {
    stores.flatMap { store -> [InstrumentsPage.Link] in
      var links: [InstrumentsPage.Link] = []
      if let request = finding.request, store.entities[request.entity] != nil {
        var view = EntityView(store: store.name, entity: request.entity)
        let sample = request.predicate.map { SamplePredicate(format: $0, entity: request.entity, in: store) }
        view.predicate = sample?.text
        view.sort = (request.sort ?? "").split(separator: ",").compactMap(Self.sort)
        let note = sample?.hasSamples == true ? ", with sample values" : ""
        links.append(.init("Explain the fetch in \(store.name)\(note)", view.link("/explain")))
        links.append(.init("Its objects", view.link()))
      }
      if let entity = finding.entity, entity != finding.request?.entity, store.entities[entity] != nil {
        links.append(.init("\(entity) in \(store.name)", Link.entity(store.name, entity)))
      }
      return links
    }
  }

  /// As recordings have it: `date`, `likes DESC`, `name (localizedStandardCompare:)`.
  private static func sort(_ text: Substring) -> ObjectQuery.Sort? {
    let words = text.split(separator: " ")
    guard let key = words.first, !words.contains(where: { $0.hasPrefix("(") }) else { return nil }
    return .init(String(key), ascending: !words.contains("DESC"))
  }
}

/// A recorded predicate, which has variables in place of values, with a value of the right kind for each: SQLite's plan hardly
/// depends on it, and whoever wants another one writes it into the bar.
struct SamplePredicate {
  let text: String
  let hasSamples: Bool

  init(format: String, entity: String, in store: RecordedStore) {
    var text = "", rest = format[...], hasSamples = false
    while let found = rest.firstMatch(of: /\$(values|value)\b/) {
      let before = rest[..<found.range.lowerBound]
      text += before
      // The key path that it is compared with: the last one before it, or the first one behind.
      let path =
        Self.keyPath(String(text), last: true) ?? Self.keyPath(String(rest[found.range.upperBound...]), last: false)
      let value = Self.value(path.flatMap { store.kind($0, of: entity) } ?? .text)
      text += found.1 == "values" ? "{\(value)}" : value
      rest = rest[found.range.upperBound...]
      hasSamples = true
    }
    self.text = text + rest
    self.hasSamples = hasSamples
  }

  private static let words: Set = [
    "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "ANY", "ALL", "NONE",
    "SOME", "SUBQUERY", "CAST", "NULL", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private static func keyPath(_ text: String, last: Bool) -> String? {
    // Not what stands in quotes, nor options as in CONTAINS[cd].
    let bare = text.replacing(/"[^"]*"/, with: "").replacing(/\[[a-z]+\]/, with: "")
    let paths = bare.matches(of: /[A-Za-z_][A-Za-z0-9_.]*/).map { String($0.0) }.filter {
      !words.contains($0.uppercased())
    }
    return last ? paths.last : paths.first
  }

  private static func value(_ kind: RecordedStore.Kind) -> String {
    switch kind {
    case .text, .other: "\"a\""
    case .number: "1"
    case .date: "CAST(0, \"NSDate\")"
    case .flag: "YES"
    case .object: "NULL"
    }
  }
}
