/// The triggers of a filtered count, or of a sum, over a many-to-many relationship. They compute the value anew from all
/// members whenever a member is inserted, changed or deleted, because a pair and its member may be deleted in any order.
struct MemberTriggers {
  private let trigger: DerivedTrigger
  private let pairs: (table: String, owner: String, member: String)
  private let members: String
  private let source: String?
  private let filter: MemberFilter?

  /// - Parameter source: The attribute that is added up; nil to count members.
  init(_ derivation: SQLDerivation, _ toMany: SQLToMany, _ source: SQLAttribute?, in model: SQLModel) {
    trigger = DerivedTrigger(derivation)
    switch toMany.storage {
    case .join(let table, let owner, let member, _, _): pairs = (table, owner, member)
    case .foreignKey(let table, let column, _, _): pairs = (table, column, "Z_PK")
    }
    members = model.destination(of: toMany).tableName
    self.source = source?.columnName
    filter = derivation.filter
  }

  var statements: [String] {
    let (table, owner, member) = pairs
    // A filter may use any column.
    let changes = filter == nil ? source.map { "OF \($0) " } ?? "" : ""
    return [
      text("INSERT", "INSERT ON \(table)", ["= NEW.\(owner)"]),
      text("UPDATE", "UPDATE OF \(owner), \(member) ON \(table)", ["= NEW.\(owner)", "= OLD.\(owner)"]),
      text("DELETE", "DELETE ON \(table)", ["= OLD.\(owner)"]),
      text("INSERT", "INSERT ON \(members)", [owners("NEW")]),
      text("UPDATE", "UPDATE \(changes)ON \(members)", [owners("NEW")]),
      text("DELETE", "DELETE ON \(members)", [owners("OLD")]),
      trigger.sourceInsert(set: value(of: "NEW.Z_PK")),
    ]
  }

  /// Returns a trigger that computes the values of some owners anew. The owners are given as operators and right sides of
  /// conditions on Z_PK.
  private func text(_ kind: String, _ event: String, _ owners: [String]) -> String {
    let changes = owners.map { (value(of: "\(trigger.table).Z_PK"), "Z_PK \($0)") }
    return trigger.text("PARAMETER_\(kind)", "AFTER \(event)", changes, ifDifferent: true)
  }

  private func owners(_ row: String) -> String {
    "IN (SELECT \(pairs.owner) FROM \(pairs.table) WHERE \(pairs.member) = \(row).Z_PK)"
  }

  private func value(of owner: String) -> String {
    let total = source.map { "IFNULL(SUM(t0.\($0)), 0)" } ?? "COUNT(*)"
    let condition = filter.map { " AND (\($0.t0))" } ?? ""
    return "(SELECT \(total) FROM \(pairs.table) t1 JOIN \(members) t0 ON t0.Z_PK = t1.\(pairs.member) "
      + "WHERE t1.\(pairs.owner) = \(owner)\(condition))"
  }
}
