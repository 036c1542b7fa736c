import Foundation

// The contents of the hash of each part of a model. They are defined in one place for the framework, which has
// descriptions, and for the tool of the build plugins, which has XML.

extension VersionHash {
  /// Returns the hash with which the hashes of all kinds of properties begin.
  package static func base(
    _ name: String, isOptional: Bool, isTransient: Bool, modifier: String?
  ) -> Data {
    var hash = VersionHash()
    hash.add(name)
    hash.add(isOptional)
    hash.add(isTransient)
    hash.add(modifier)
    return hash.sha256
  }

  package static func attribute(
    base: Data, type: Int, allowsExternalStorage: Bool, preservesValueOnDeletion: Bool
  ) -> Data {
    var hash = VersionHash()
    hash.add(base)
    hash.add(type)
    hash.addIfTrue(allowsExternalStorage)
    hash.addIfTrue(preservesValueOnDeletion)
    return hash.sha256
  }

  /// Only the expression counts; the name and the type do not.
  package static func derivedAttribute(_ expression: String?) -> Data {
    var hash = VersionHash()
    hash.add(expression)
    return hash.sha256
  }

  /// Only the elements count; the attribute's own name does not.
  package static func compositeAttribute(_ elements: [(name: String, hash: Data)]) -> Data {
    var hash = VersionHash()
    for element in elements.sorted(by: { precedesByBytes($0.name, $1.name) }) { hash.add(element.hash) }
    return hash.sha256
  }

  package static func relationship(
    base: Data, destination: String?, inverse: String?, minCount: Int, maxCount: Int, isOrdered: Bool
  ) -> Data {
    var hash = VersionHash()
    hash.add(base)
    hash.add(destination)
    hash.add(inverse)
    hash.add(maxCount)
    hash.add(minCount)
    if isOrdered {
      hash.add(true)
      hash.add(false)
    }
    return hash.sha256
  }

  /// - Parameters:
  ///   - properties: the entity's own and inherited properties, without transient and fetched ones, which do not count.
  ///   - constraints: the names in each uniqueness constraint of the entity itself; inherited constraints do not count.
  package static func entity(
    _ name: String?, isAbstract: Bool, superentity: Data?, properties: [(name: String, hash: Data)],
    modifier: String?, constraints: [[String]]
  ) -> Data {
    var hash = VersionHash()
    hash.add(name)
    hash.add(isAbstract)
    if let superentity { hash.add(superentity) }
    for property in properties.sorted(by: { precedesByBytes($0.name, $1.name) }) { hash.add(property.hash) }
    hash.add(modifier)
    for constraint in constraints.map({ $0.joined(separator: ".") }).sorted(by: precedesByBytes) {
      hash.add(constraint)
    }
    return hash.sha256
  }
}
