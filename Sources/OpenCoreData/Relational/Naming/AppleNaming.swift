/// The names in Apple's files: upper case, with a Z in front.
package struct AppleNaming: SQLNaming {
  package let otherTables = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]
  package let ignoresCase = true
  package let pairColumns: SQLPairColumns? = nil

  package func table(of entity: String) -> String { "Z" + entity.uppercased() }

  package func column(of keyPath: [String]) -> String { "Z" + (keyPath.last ?? "").uppercased() }

  package func key(of relationship: String) -> String { "Z" + relationship.uppercased() }

  package func entityNumber(besides key: String, root: Int) -> String { "Z\(root)_\(key.dropFirst())" }

  package func place(besides key: String) -> String { "Z_FOK_\(key.dropFirst())" }

  package func pairs(of relationship: String, _ entity: (name: String, number: Int)) -> String {
    "Z_\(entity.number)\(relationship.uppercased())"
  }

  /// The number of the entity and the name of the relationship. In a migrated file, the column may still have the
  /// entity's old number.
  package func owner(of relationship: String, _ entity: (name: String, number: Int), existing: [String]) -> String {
    let name = relationship.uppercased()
    let usual = "Z\(entity.number)\(name)"
    if existing.isEmpty || existing.contains(usual) { return usual }
    let others = existing.filter { column in
      guard column.hasPrefix("Z"), column.hasSuffix(name) else { return false }
      let digits = column.dropFirst().dropLast(name.count)
      return !digits.isEmpty && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
    return others.count == 1 ? others[0] : usual
  }
}
