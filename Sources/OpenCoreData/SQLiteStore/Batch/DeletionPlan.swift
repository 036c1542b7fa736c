import Foundation

/// What deleting rows of some entities brings about, as far as the model says.
struct DeletionPlan {
  let steps: [DeletionStep]
  /// The entities whose rows may go, those that cascades lead to included.
  let numbers: [Int]
  /// Their roots, whose tables the rows are in.
  let roots: [SQLEntity]

  init(_ numbers: [Int], in schema: SQLModel) {
    var reached = Set(numbers)
    var steps = DeletionStep.all(for: numbers, in: schema)
    while true {
      let next = reached.union(steps.lazy.filter { $0.rule == .cascadeDeleteRule }.flatMap(\.destination.numbers))
      if next == reached { break }
      reached = next
      steps = DeletionStep.all(for: reached.sorted(), in: schema)
    }
    self.steps = steps
    self.numbers = reached.sorted()
    roots = Set(self.numbers.compactMap { schema.entity(number: $0)?.root.number }).sorted()
      .compactMap(schema.entity(number:))
  }

  /// The table, private to the connection, with the keys of a root entity's rows that go.
  static func keys(of root: SQLEntity) -> String { "temp.OCD_DELETED_\(root.number)" }

  var hasCascades: Bool { steps.contains { $0.rule == .cascadeDeleteRule } }

  /// Makes the tables of keys, or empties them.
  var preparation: [String] {
    roots.flatMap { root in
      let table = Self.keys(of: root)
      let name = table.dropFirst("temp.".count)
      return [
        "CREATE TABLE IF NOT EXISTS \(table) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_LEVEL INTEGER DEFAULT 0)",
        "DELETE FROM \(table)",
      ] + (hasCascades ? ["CREATE INDEX IF NOT EXISTS \(table)_LEVEL ON \(name) (Z_LEVEL)"] : [])
    }
  }

  /// Adds the members of the rows of one level to those of the next; the variables are the latter and the former.
  func cascade(_ step: DeletionStep) -> String {
    let conditions = [step.isOwner("d."), "d.Z_LEVEL = ?"].compactMap { $0 }
    return "INSERT OR IGNORE INTO \(Self.keys(of: step.destination.root))(Z_PK, Z_ENT, Z_LEVEL) "
      + "SELECT m.Z_PK, m.Z_ENT, ? \(step.members(of: Self.keys(of: step.owner))) "
      + "WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Finds a member that stays.
  func denial(_ step: DeletionStep) -> String {
    let conditions = [step.isOwner("d."), stays(step, "m.Z_PK")].compactMap { $0 }
    return "SELECT d.Z_PK \(step.members(of: Self.keys(of: step.owner)))"
      + (conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))") + " LIMIT 1"
  }

  /// The rows that stay and refer to rows that go.
  private func referring(_ step: DeletionStep, _ reference: SQLToOne) -> String {
    let owners = "SELECT Z_PK FROM \(Self.keys(of: step.owner))" + (step.isOwner("").map { " WHERE \($0)" } ?? "")
    return "\(reference.keyColumn) IN (\(owners))" + (stays(step, "Z_PK").map { " AND \($0)" } ?? "")
  }

  private func stays(_ step: DeletionStep, _ key: String) -> String? {
    let root = step.destination.root
    guard roots.contains(where: { $0 === root }) else { return nil }
    return "\(key) NOT IN (SELECT Z_PK FROM \(Self.keys(of: root)))"
  }

  /// Finds a row that nullify would take a value from that it must have.
  func obstacle(_ step: DeletionStep, _ reference: SQLToOne) -> String {
    "SELECT Z_PK FROM \(step.destination.tableName) WHERE \(referring(step, reference)) LIMIT 1"
  }

  /// Takes the keys of rows that go out of those that stay.
  func nullification(_ step: DeletionStep, _ reference: SQLToOne, returning: Bool) -> String {
    let columns = [reference.keyColumn, reference.entityColumn, reference.orderColumn].compactMap { $0 }
    return "UPDATE \(step.destination.tableName) SET \(columns.map { "\($0) = NULL, " }.joined())Z_OPT = Z_OPT + 1 "
      + "WHERE \(referring(step, reference))" + (returning ? " RETURNING Z_PK, Z_ENT" : "")
  }

  /// Takes the pairs out of a join table.
  func separation(_ step: DeletionStep, _ table: String, _ column: String) -> String {
    "DELETE FROM \(table) WHERE \(column) IN (SELECT Z_PK FROM \(Self.keys(of: step.owner))"
      + (step.isOwner("").map { " WHERE \($0)" } ?? "") + ")"
  }

  /// Sets the foreign keys of the deleted owners' members to NULL.
  func release(_ step: DeletionStep, _ owners: (table: String, key: String, order: String?)) -> String {
    "UPDATE \(owners.table) SET \(owners.key) = NULL\(owners.order.map { ", \($0) = NULL" } ?? "") "
      + "WHERE \(owners.key) IN (SELECT Z_PK FROM \(Self.keys(of: step.owner))"
      + (step.isOwner("").map { " WHERE \($0)" } ?? "") + ")"
  }

  /// Deletes the rows.
  func deletion(_ root: SQLEntity) -> String {
    "DELETE FROM \(root.tableName) WHERE Z_PK IN (SELECT Z_PK FROM \(Self.keys(of: root)))"
  }
}
