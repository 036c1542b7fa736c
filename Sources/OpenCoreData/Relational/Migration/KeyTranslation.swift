/// Translates keys that lead to rows of one old entity, or of its subentities, into keys of the new version.
package struct KeyTranslation {
  private struct Case {
    let old: Int
    let new: Int
    let offset: Int64
  }

  private let old: SQLEntity
  private let versions: StoreVersions
  private let cases: [Case]
  /// Whether every row that a key may lead to still exists and is of the wanted entity.
  private let keepsAll: Bool

  /// - Parameter wanted: the entity that the keys are to lead to. The translation leaves out rows that are no longer of
  ///   this entity.
  package init(_ old: SQLEntity, to wanted: SQLEntity, in versions: StoreVersions) {
    (self.old, self.versions) = (old, versions)
    let concrete = old.numbers.filter { versions.old.entity(number: $0)?.entity.isAbstract == false }
    cases = concrete.compactMap { number in
      guard let successor = versions.successors[number], wanted.numbers.contains(successor.entity.number) else {
        return nil
      }
      return Case(old: number, new: successor.entity.number, offset: successor.offset)
    }
    keepsAll = cases.count == concrete.count
  }

  /// Whether every key stays the same.
  package var keepsKeys: Bool { keepsAll && cases.allSatisfy { $0.offset == 0 } }

  /// Whether the new key does not depend on the number of the row's entity.
  package var isUniform: Bool { keepsAll && Set(cases.map(\.offset)).count <= 1 }

  /// Whether the numbers of the entities that keys lead to stay the same.
  package var keepsNumbers: Bool { keepsAll && cases.allSatisfy { $0.old == $0.new } }

  /// Whether every row is of one new entity.
  package var isOfOneEntity: Bool { keepsAll && Set(cases.map(\.new)).count == 1 }

  /// Returns the new key as SQL. It is NULL for a row that no longer exists.
  /// - Parameter entity: the number of the row's entity as SQL; nil if the statement has to look it up.
  package func key(_ key: String, entity: String?) -> String {
    if isUniform {
      let offset = cases.first?.offset ?? 0
      return offset == 0 ? key : "\(key) + \(offset)"
    }
    return choice(key, entity) { $0.offset == 0 ? key : "\(key) + \($0.offset)" }
  }

  /// The number of the new row's entity as SQL.
  package func number(_ key: String, entity: String?) -> String {
    if isOfOneEntity, let only = cases.first { return "CASE WHEN \(key) IS NOT NULL THEN \(only.new) END" }
    return choice(key, entity) { "\($0.new)" }
  }

  private func choice(_ key: String, _ entity: String?, _ result: (Case) -> String) -> String {
    if cases.isEmpty { return "NULL" }
    let entity =
      entity
      ?? "(SELECT e.\(versions.entityNumber) FROM \(versions.quoted(old.tableName)) e WHERE e.\(versions.key) = \(key))"
    return "CASE \(entity) \(cases.map { "WHEN \($0.old) THEN \(result($0))" }.joined(separator: " ")) END"
  }

  /// Whether the new key depends on the number of the row's entity, which has to be looked up if no column holds it.
  package var needsEntity: Bool { !isUniform }
}
