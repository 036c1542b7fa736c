/// The inferred migration of a stored attribute of an entity.
package struct AttributeMigration {
  /// The differences; empty for an attribute whose values stay as they are, in a column of the same name.
  package struct Changes: OptionSet, Hashable, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The source does not store the attribute.
    package static let added = Changes(rawValue: 1)
    package static let renamed = Changes(rawValue: 1 << 1)
    /// Another entity of the hierarchy declares the attribute, above or below the former one.
    package static let moved = Changes(rawValue: 1 << 2)
    /// The type of the attribute has changed.
    package static let converted = Changes(rawValue: 1 << 3)
    /// The attribute was optional and is mandatory.
    package static let mandatory = Changes(rawValue: 1 << 4)
    /// The derivation has changed, or the attribute was not derived before.
    package static let derivation = Changes(rawValue: 1 << 5)
    /// The permission to store large values in files of their own has changed.
    package static let externalStorage = Changes(rawValue: 1 << 6)
    /// The elements of a composite attribute differ.
    package static let elements = Changes(rawValue: 1 << 7)
  }

  /// The name of the entity that declares the attribute in the destination.
  package let entityName: String
  /// The name of the attribute in the destination. For an element of a composite attribute, the names that lead to it,
  /// joined by dots.
  package let path: String
  /// The attribute in the source; nil if the source does not have it or does not store it.
  package let source: NSAttributeDescription?
  package let destination: NSAttributeDescription
  package let changes: Changes
  /// The value for objects that have no value: the default value of an attribute that is new or has become mandatory.
  package let fill: Any?
  /// The elements of a composite attribute; empty for any other attribute.
  package let elements: [AttributeMigration]

  /// Whether the store computes the attribute's values.
  package var isDerived: Bool { destination is NSDerivedAttributeDescription }

  /// - Parameter place: for an element, the entity and the path of the composite attribute that contains it.
  init(
    _ source: NSAttributeDescription?, _ destination: NSAttributeDescription,
    _ pairing: VersionPairing<NSEntityDescription>, in place: (entity: String, path: String)? = nil
  ) {
    self.source = source
    self.destination = destination
    entityName = place?.entity ?? destination.owner?.name ?? ""
    path = place.map { "\($0.path).\(destination.name)" } ?? destination.name
    var changes: Changes = []
    let elements = Self.elements(source, destination, pairing, in: (entityName, path))
    if let source {
      if source.name != destination.name { changes.insert(.renamed) }
      if source.owner.flatMap(pairing.destination) !== destination.owner { changes.insert(.moved) }
      if source.attributeType != destination.attributeType { changes.insert(.converted) }
      if source.isOptional, !destination.isOptional { changes.insert(.mandatory) }
      if source.allowsExternalBinaryDataStorage != destination.allowsExternalBinaryDataStorage {
        changes.insert(.externalStorage)
      }
      let before = (source as? NSCompositeAttributeDescription)?.elements.count ?? 0
      if before != elements.count || elements.contains(where: { !$0.changes.isEmpty }) { changes.insert(.elements) }
    } else {
      changes.insert(.added)
    }
    if let derived = destination as? NSDerivedAttributeDescription,
      (source as? NSDerivedAttributeDescription)?.derivationText != derived.derivationText
    {
      changes.insert(.derivation)
    }
    self.changes = changes
    self.elements = elements
    fill = changes.isDisjoint(with: [.added, .mandatory]) ? nil : destination.defaultValue
  }

  private static func elements(
    _ source: NSAttributeDescription?, _ destination: NSAttributeDescription,
    _ pairing: VersionPairing<NSEntityDescription>, in place: (entity: String, path: String)
  ) -> [AttributeMigration] {
    guard let destination = destination as? NSCompositeAttributeDescription else { return [] }
    let before = (source as? NSCompositeAttributeDescription)?.elements ?? []
    return VersionPairing(before, destination.elements).pairs.compactMap { pair in
      pair.destination.map { AttributeMigration(pair.source, $0, pairing, in: place) }
    }
  }
}
