extension DDL {
  /// The triggers that keep derived attributes up to date: entity by entity, attribute by attribute.
  ///
  /// Their names, and the words of those that count the members of a relationship, are those of Apple's files; there are
  /// no samples of the others. Like Apple's they call functions that a framework registers, to learn of the rows that
  /// they change, so that other programs cannot write to these tables.
  static func triggers(of model: SQLModel) -> [String] {
    triggers(of: SQLDerivations(of: model), in: model)
  }

  static func triggers(of derivations: SQLDerivations, in model: SQLModel) -> [String] {
    derivations.all.flatMap { derivation -> [String] in
      switch derivation.kind {
      case .now, .row: return []
      case .path(let path, let source):
        return PathTriggers(derivation, path, source, in: model).statements
      case .count(let toMany):
        return derivation.filter == nil
          ? counting(derivation, toMany, nil)
          : MemberTriggers(derivation, toMany, nil, in: model).statements
      case .sum(let toMany, let source):
        guard derivation.filter == nil, case .foreignKey = toMany.storage else {
          return MemberTriggers(derivation, toMany, source, in: model).statements
        }
        return counting(derivation, toMany, source)
      }
    }
  }

  /// Counts up and down by one, or by the value of the member that comes, changes or goes.
  private static func counting(_ derivation: SQLDerivation, _ toMany: SQLToMany, _ source: SQLAttribute?) -> [String] {
    let trigger = DerivedTrigger(derivation)
    let (table, key) = toMany.storage.owners
    let column = derivation.attribute.columnName
    func step(_ row: String) -> String { source.map { "IFNULL(\(row).\($0.columnName), 0)" } ?? "1" }
    // Where there is nothing to add the trigger does not run, so that sums of sums come to an end.
    let guarding = source.map {
      " AND (NEW.\(key) IS NOT OLD.\(key) OR NEW.\($0.columnName) IS NOT OLD.\($0.columnName))"
    }
    let changes = ([key] + (source.map { [$0.columnName] } ?? [])).joined(separator: ", ")
    let total = source.map { "IFNULL(SUM(\($0.columnName)), 0)" } ?? "IFNULL(COUNT(\(key)), 0)"
    return [
      trigger.text(
        "PARAMETER_INSERT", "AFTER INSERT ON \(table)", when: "NEW.\(key) NOT NULL",
        set: "IFNULL(\(column), 0) + \(step("NEW"))", where: "Z_PK = NEW.\(key)"),
      trigger.text(
        "PARAMETER_UPDATE_INCREMENT", "AFTER UPDATE OF \(changes) ON \(table)",
        when: "NEW.\(key) NOT NULL\(guarding ?? "")", set: "\(column) + \(step("NEW"))", where: "Z_PK = NEW.\(key)"),
      trigger.text(
        "PARAMETER_UPDATE_DECREMENT", "AFTER UPDATE OF \(changes) ON \(table)",
        when: "OLD.\(key) NOT NULL\(guarding ?? "")", set: "\(column) - \(step("OLD"))", where: "Z_PK = OLD.\(key)"),
      trigger.text(
        "PARAMETER_DELETE", "AFTER DELETE ON \(table)", when: "OLD.\(key) NOT NULL", set: "\(column) - \(step("OLD"))",
        where: "Z_PK = OLD.\(key)"),
      trigger.sourceInsert(set: "(SELECT \(total) FROM \(table) WHERE \(key) = NEW.Z_PK)"),
    ]
  }
}

extension SQLToMany.Storage {
  /// The table that says which member belongs to which owner, and the column with the owner's key.
  var owners: (table: String, key: String) {
    switch self {
    case .foreignKey(let table, let column, _, _): (table, column)
    case .join(let table, let source, _, _, _): (table, source)
    }
  }
}
