extension DDL {
  /// The triggers that keep derived attributes up to date: entity by entity, attribute by attribute.
  ///
  /// The names of the triggers are those of Apple's files, and so is the text of those that count the members of a
  /// relationship; there are no samples of the others. Like Apple's triggers they call functions that the framework
  /// registers, to tell it which rows they change. Therefore other programs cannot write to these tables.
  static func triggers(of model: SQLModel) -> [String] {
    triggers(of: SQLDerivations(of: model), in: model)
  }

  static func triggers(of derivations: SQLDerivations, in model: SQLModel) -> [String] {
    var names = SQLNames()
    return derivations.all.flatMap { derivation -> [String] in
      let statements = statements(of: derivation, in: model)
      return statements.map { text in
        // SQLite takes names that differ only in case for the same name.
        let words = text.split(separator: " ", maxSplits: 3)
        guard words.count == 4 else { return text }
        return "CREATE TRIGGER \(names.unique(String(words[2]))) \(words[3])"
      }
    }
  }

  private static func statements(of derivation: SQLDerivation, in model: SQLModel) -> [String] {
    switch derivation.kind {
    case .now, .row: []
    case .path(let path, let source): PathTriggers(derivation, path, source, in: model).statements
    case .count(let toMany): members(derivation, toMany, nil, in: model)
    case .sum(let toMany, let source): members(derivation, toMany, source, in: model)
    }
  }

  private static func members(
    _ derivation: SQLDerivation, _ toMany: SQLToMany, _ source: SQLAttribute?, in model: SQLModel
  ) -> [String] {
    if case .join = toMany.storage, source != nil || derivation.filter != nil {
      return MemberTriggers(derivation, toMany, source, in: model).statements
    }
    return counting(derivation, toMany, source)
  }

  /// Returns triggers that change the value by one, or by the value of the member that is inserted, changed or deleted.
  private static func counting(_ derivation: SQLDerivation, _ toMany: SQLToMany, _ source: SQLAttribute?) -> [String] {
    let trigger = DerivedTrigger(derivation)
    let filter = derivation.filter
    let (table, key) = toMany.storage.owners
    let column = derivation.attribute.columnName
    func step(_ row: String) -> String { source.map { "IFNULL(\(row).\($0.columnName), 0)" } ?? "1" }
    func isMember(_ row: String, _ filter: String?) -> String {
      "\(row).\(key) NOT NULL" + (filter.map { " AND (\($0))" } ?? "")
    }
    let watched = [key] + (source.map { [$0.columnName] } ?? [])
    let event = "AFTER UPDATE \(filter == nil ? "OF \(watched.joined(separator: ", ")) " : "")ON \(table)"
    // The trigger does not run if nothing changes, so that sums of sums come to an end.
    var changes = watched.map { "NEW.\($0) IS NOT OLD.\($0)" }
    if let filter { changes.append("(\(filter.new)) IS NOT (\(filter.old))") }
    let isChanged = changes.count > 1 ? " AND (\(changes.joined(separator: " OR ")))" : ""
    // The trigger for new owners has counted a new row that is a member of itself.
    let isOther = table == trigger.table ? " AND NEW.\(key) IS NOT NEW.Z_PK" : ""
    let total = source.map { "IFNULL(SUM(\($0.columnName)), 0)" } ?? "IFNULL(COUNT(\(key)), 0)"
    let members =
      filter.map { "\(table) t0 WHERE \(key) = NEW.Z_PK AND (\($0.t0))" } ?? "\(table) WHERE \(key) = NEW.Z_PK"
    return [
      trigger.text(
        "PARAMETER_INSERT", "AFTER INSERT ON \(table)", when: isMember("NEW", filter?.new) + isOther,
        set: "IFNULL(\(column), 0) + \(step("NEW"))", where: "Z_PK = NEW.\(key)"),
      trigger.text(
        "PARAMETER_UPDATE_INCREMENT", event, when: isMember("NEW", filter?.new) + isChanged,
        set: "\(column) + \(step("NEW"))", where: "Z_PK = NEW.\(key)"),
      trigger.text(
        "PARAMETER_UPDATE_DECREMENT", event, when: isMember("OLD", filter?.old) + isChanged,
        set: "\(column) - \(step("OLD"))", where: "Z_PK = OLD.\(key)"),
      trigger.text(
        "PARAMETER_DELETE", "AFTER DELETE ON \(table)", when: isMember("OLD", filter?.old),
        set: "\(column) - \(step("OLD"))", where: "Z_PK = OLD.\(key)"),
      trigger.sourceInsert(set: "(SELECT \(total) FROM \(members))"),
    ]
  }
}

extension SQLToMany.Storage {
  /// The table that tells which member belongs to which owner, and the column with the owner's key.
  var owners: (table: String, key: String) {
    switch self {
    case .foreignKey(let table, let column, _, _): (table, column)
    case .join(let table, let source, _, _, _): (table, source)
    }
  }
}
