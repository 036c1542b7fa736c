/// A part of a model (an entity or a property) that migration finds again in another version of the model.
package protocol VersionedPart: AnyObject {
  /// The name, or an empty text while there is none.
  var versionedName: String { get }
  /// The renaming identifier, or the name if there is no renaming identifier. Parts of two versions with the same
  /// canonical name are the same part.
  var canonicalName: String { get }
}

extension NSEntityDescription: VersionedPart {
  package final var versionedName: String { name ?? "" }
  package final var canonicalName: String { renamingIdentifier ?? versionedName }
}

extension NSPropertyDescription: VersionedPart {
  package final var versionedName: String { name }
  package final var canonicalName: String { renamingIdentifier ?? name }
}

/// The parts of two versions of a model, each with its counterpart.
struct VersionPairing<Part: VersionedPart> {
  /// The parts of the destination, sorted by name, each with its counterpart in the source; then the parts that only
  /// the source has.
  private(set) var pairs: [(source: Part?, destination: Part?)] = []
  private var destinations: [ObjectIdentifier: Part] = [:]
  private var sources: [ObjectIdentifier: Part] = [:]

  init(_ sources: [Part], _ destinations: [Part]) {
    var left = Self.byCanonicalName(sources)
    let wanted = Self.byCanonicalName(destinations)
    for destination in destinations.sorted(by: { $0.versionedName < $1.versionedName }) {
      let isMeant = wanted[destination.canonicalName] === destination
      let source = isMeant ? left.removeValue(forKey: destination.canonicalName) : nil
      pairs.append((source, destination))
      guard let source else { continue }
      self.destinations[ObjectIdentifier(source)] = destination
      self.sources[ObjectIdentifier(destination)] = source
    }
    for source in sources.sorted(by: { $0.versionedName < $1.versionedName })
    where self.destinations[ObjectIdentifier(source)] == nil { pairs.append((source, nil)) }
  }

  /// Returns the parts by canonical name. If two parts have the same canonical name, the part that has it as its
  /// renaming identifier is taken.
  private static func byCanonicalName(_ parts: [Part]) -> [String: Part] {
    Dictionary(
      parts.map { ($0.canonicalName, $0) },
      uniquingKeysWith: { first, second in second.canonicalName != second.versionedName ? second : first })
  }

  /// Returns the part of the destination that a part of the source became.
  func destination(of source: Part) -> Part? { destinations[ObjectIdentifier(source)] }

  /// Returns the part of the source from which a part of the destination came.
  func source(of destination: Part) -> Part? { sources[ObjectIdentifier(destination)] }
}
