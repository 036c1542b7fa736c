/// A part of a model that migration identifies in another version.
package protocol VersionedPart: AnyObject {
  /// The name, or an empty text if there is none yet.
  var versionedName: String { get }
  /// The renaming identifier, or else the name: parts of two versions with the same canonical name correspond to each other.
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
  /// The pairs of the destination's parts by name, then the parts that only the source has.
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

  /// If two parts have the same canonical name, the part with this renaming identifier counts.
  private static func byCanonicalName(_ parts: [Part]) -> [String: Part] {
    Dictionary(
      parts.map { ($0.canonicalName, $0) },
      uniquingKeysWith: { first, second in second.canonicalName != second.versionedName ? second : first })
  }

  /// The part of the destination that a part of the source has become.
  func destination(of source: Part) -> Part? { destinations[ObjectIdentifier(source)] }

  /// The part of the source that a part of the destination was.
  func source(of destination: Part) -> Part? { sources[ObjectIdentifier(destination)] }
}
