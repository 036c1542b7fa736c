/// The triggers of a count or sum that is made anew from all members whenever one of them comes, changes or goes: a
/// filtered one, and a sum over a many-to-many relationship.
struct MemberTriggers {
  private let trigger: DerivedTrigger
  private let storage: SQLToMany.Storage
  private let members: String
  private let source: String?
  private let filter: String?

  init(_ derivation: SQLDerivation, _ toMany: SQLToMany, _ source: SQLAttribute?, in model: SQLModel) {
    trigger = DerivedTrigger(derivation)
    storage = toMany.storage
    members = model.destination(of: toMany).tableName
    self.source = source?.columnName
    filter = derivation.filter
  }

  var statements: [String] {
    let own = trigger.sourceInsert(set: value(of: "NEW.Z_PK"))
    switch storage {
    case .foreignKey(_, let key, _, _):
      return memberStatements(inserted: ["NEW.\(key)"], deleted: ["OLD.\(key)"], updated: ["NEW.\(key)", "OLD.\(key)"])
        + [own]
    case .join(let table, let owner, let member, _, _):
      func text(_ kind: String, _ event: String, _ owners: [String]) -> String {
        trigger.text("PARAMETER_\(kind)", "AFTER \(event) ON \(table)", owners.map { change("= \($0)") }, true)
      }
      func owners(_ row: String) -> String { "IN (SELECT \(owner) FROM \(table) WHERE \(member) = \(row).Z_PK)" }
      return [
        text("INSERT", "INSERT", ["NEW.\(owner)"]),
        text("UPDATE", "UPDATE OF \(owner), \(member)", ["NEW.\(owner)", "OLD.\(owner)"]),
        text("DELETE", "DELETE", ["OLD.\(owner)"]),
        trigger.text("PARAMETER_INSERT", "AFTER INSERT ON \(members)", [change(owners("NEW"))], true),
        trigger.text("PARAMETER_UPDATE", "AFTER UPDATE\(changed([])) ON \(members)", [change(owners("NEW"))], true),
        trigger.text("PARAMETER_DELETE", "AFTER DELETE ON \(members)", [change(owners("OLD"))], true),
        own,
      ]
    }
  }

  private func memberStatements(inserted: [String], deleted: [String], updated: [String]) -> [String] {
    let key = storage.owners.key
    return [
      trigger.text("PARAMETER_INSERT", "AFTER INSERT ON \(members)", inserted.map { change("= \($0)") }, true),
      trigger.text(
        "PARAMETER_UPDATE", "AFTER UPDATE\(changed([key])) ON \(members)", updated.map { change("= \($0)") }, true),
      trigger.text("PARAMETER_DELETE", "AFTER DELETE ON \(members)", deleted.map { change("= \($0)") }, true),
    ]
  }

  /// The columns of a member that the value depends on; a filter may ask for any.
  private func changed(_ columns: [String]) -> String {
    guard filter == nil, let source else { return "" }
    return " OF \((columns + [source]).joined(separator: ", "))"
  }

  /// What is set for owners given as an operator and its right side.
  private func change(_ owners: String) -> (value: String, rows: String) {
    (value(of: "\(trigger.table).Z_PK"), "Z_PK \(owners)")
  }

  private func value(of owner: String) -> String {
    let total = source.map { "IFNULL(SUM(t0.\($0)), 0)" } ?? "COUNT(*)"
    let condition = filter.map { " AND \($0)" } ?? ""
    switch storage {
    case .foreignKey(_, let key, _, _):
      return "(SELECT \(total) FROM \(members) t0 WHERE t0.\(key) = \(owner)\(condition))"
    case .join(let table, let column, let member, _, _):
      return "(SELECT \(total) FROM \(table) t1 JOIN \(members) t0 ON t0.Z_PK = t1.\(member) "
        + "WHERE t1.\(column) = \(owner)\(condition))"
    }
  }
}
