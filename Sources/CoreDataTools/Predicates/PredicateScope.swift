import OpenCoreData

/// Finds the entities and attributes that the names in a predicate refer to.
struct PredicateScope {
  /// The object or value at the end of a key path.
  enum Target {
    case object(NSEntityDescription, isMany: Bool)
    case attribute(NSAttributeDescription, isMany: Bool)
    /// A number of objects.
    case count
  }

  let entity: NSEntityDescription
  /// The entities of the variables of subqueries, by the name of the variable.
  private(set) var variables: [String: NSEntityDescription] = [:]

  static let collectionOperators = ["@count", "@sum", "@avg", "@min", "@max"]

  /// Creates the scope at the end of some words.
  init(_ entity: NSEntityDescription, _ words: some Collection<PredicateWord>) {
    self.entity = entity
    let words = Array(words)
    for (index, word) in words.enumerated() where word.text.uppercased() == "SUBQUERY" && index + 4 < words.count {
      guard words[index + 1].kind == .open, words[index + 3].kind == .comma, words[index + 4].text.hasPrefix("$"),
        case .object(let member, _)? = target(of: words[index + 2].text)
      else { continue }
      variables[String(words[index + 4].text.dropFirst())] = member
    }
  }

  /// Returns the beginning of a key path, and its remaining keys.
  private func start(_ keys: [Substring]) -> (Target, ArraySlice<Substring>)? {
    guard let first = keys.first else { return nil }
    if first.uppercased() == "SELF" { return (.object(entity, isMany: false), keys.dropFirst()) }
    guard first.hasPrefix("$") else { return (.object(entity, isMany: false), keys[...]) }
    return variables[String(first.dropFirst())].map { (.object($0, isMany: false), keys.dropFirst()) }
  }

  /// Returns the object or value at the end of a key path; nil if the model has no such key.
  func target(of keyPath: String) -> Target? {
    guard var (target, keys) = start(keyPath.split(separator: ".", omittingEmptySubsequences: false)) else {
      return nil
    }
    while let key = keys.popFirst() {
      guard let next = Self.step(target, String(key)) else { return nil }
      target = next
    }
    return target
  }

  /// Returns the position of the first key in a key path that the model does not have, and the entity that lacks the key.
  func unknownKey(in keyPath: String) -> (index: Int, entity: String?)? {
    let all = keyPath.split(separator: ".", omittingEmptySubsequences: false)
    guard var (target, keys) = start(all) else { return nil }
    while let key = keys.popFirst() {
      guard let next = Self.step(target, String(key)) else {
        let name: String? = if case .object(let entity, _) = target { entity.name } else { nil }
        return (keys.startIndex - 1, name)
      }
      target = next
    }
    return nil
  }

  static func step(_ target: Target, _ key: String) -> Target? {
    let key = key.hasPrefix("#") ? String(key.dropFirst()) : key
    if key.uppercased() == "SELF" { return target }
    switch target {
    case .object(let entity, let isMany):
      if key == "@count" { return .count }
      if key.hasPrefix("@") { return .object(entity, isMany: true) }
      if let attribute = entity.attributesByName[key] { return .attribute(attribute, isMany: isMany) }
      guard let relationship = entity.relationshipsByName[key], let destination = relationship.destinationEntity else {
        return nil
      }
      return .object(destination, isMany: isMany || relationship.isToMany)
    case .attribute(let attribute, let isMany):
      if key == "@count" { return .count }
      if key.hasPrefix("@") { return target }
      let elements = (attribute as? NSCompositeAttributeDescription)?.elements ?? []
      return elements.first { $0.name == key }.map { .attribute($0, isMany: isMany) }
    case .count: return nil
    }
  }
}
