import Foundation

/// A batch delete that applies the delete rules. The keys of the rows are gathered in temporary tables of the connection, so
/// that memory does not grow with their number.
struct BatchDeletion {
  private let store: SQLiteStore
  private let plan: DeletionPlan
  private let options: BatchOptions
  private let connection: SQLiteConnection
  private var history: BatchHistory?

  init(
    _ store: SQLiteStore, _ plan: DeletionPlan, _ options: BatchOptions, _ source: HistorySource,
    _ connection: SQLiteConnection
  ) {
    (self.store, self.plan, self.options, self.connection) = (store, plan, options, connection)
    history = BatchHistory(store, source, connection)
  }

  /// - Parameter selection: a statement that gives Z_PK and Z_ENT of the rows.
  mutating func run(_ root: SQLEntity, _ selection: SQLStatement, _ changes: inout BatchChanges) throws {
    for command in plan.preparation { try statement(command.statement(dialect)).run() }
    let seeds = try statement(DeletionPlan.seeding(root, selection).statement(dialect))
    seeds.bind(selection.bindings)
    try seeds.run()
    if connection.changes == 0 { return }
    try cascade()
    for step in plan.steps where step.rule == .denyDeleteRule { try checkDenial(step) }
    for step in plan.steps where step.rule == .nullifyDeleteRule { try nullify(step, &changes) }
    for step in plan.steps {
      if let owners = step.owners { try statement(plan.release(step, owners).statement(dialect)).run() }
      guard let (table, columns) = step.pairs else { continue }
      for column in columns { try statement(plan.separation(step, table, column).statement(dialect)).run() }
    }
    for root in plan.roots { try delete(root, &changes) }
    for root in plan.roots { try statement(plan.emptying(root).statement(dialect)).run() }
  }

  /// Adds the members that are to be deleted, too, level by level, until a level adds no row.
  private func cascade() throws {
    let steps = plan.steps.filter { $0.rule == .cascadeDeleteRule }
    var level: Int64 = 0
    var found = !steps.isEmpty
    while found {
      found = false
      for step in steps {
        let statement = try statement(plan.cascade(step).statement(dialect))
        statement.bind(level + 1, at: 1)
        statement.bind(level, at: 2)
        try statement.run()
        if connection.changes > 0 { found = true }
      }
      level += 1
    }
  }

  private func checkDenial(_ step: DeletionStep) throws {
    guard let key = try first(plan.denial(step).statement(dialect)) else { return }
    let (entity, name) = (step.relationship.owner?.name ?? "", step.relationship.name)
    throw NSError(
      coreData: NSValidationRelationshipDeniedDeleteError,
      "\(entity) cannot be deleted: its relationship \(name) still has members and denies deletion.",
      [
        NSValidationKeyErrorKey: name,
        NSLocalizedFailureReasonErrorKey: "The entity is \(entity), the row has the key \(key).",
      ])
  }

  private mutating func nullify(_ step: DeletionStep, _ changes: inout BatchChanges) throws {
    guard let reference = step.reference else { return }
    if !reference.relationship.isOptional, let key = try first(plan.obstacle(step, reference).statement(dialect)) {
      throw obstacle(step, key)
    }
    let wantsRows = history != nil || options.others
    let statement = try statement(
      plan.nullification(step, reference, returnsRows: wantsRows).statement(dialect))
    var rows: ContiguousArray<BatchedRow> = []
    try store.collect(statement) { rows.append(BatchedRow(key: $0.int(0), number: Int(clamping: $0.int(1)))) }
    if connection.changes == 0 { return }
    changes.roots.insert(step.destination.entity.layout.rootNumber)
    if options.others { changes.others.formUnion(rows) }
    try history?.noteUpdates(of: rows, properties: [reference.relationship.name])
  }

  private func obstacle(_ step: DeletionStep, _ key: Int64) -> NSError {
    let (entity, name) = (step.relationship.owner?.name ?? "", step.relationship.name)
    let kind = step.relationship.isToMany ? "OTM" : "OTO"
    let reason =
      "Constraint trigger violation: Batch delete failed due to mandatory \(kind) nullify inverse on \(entity)/\(name)"
    return NSError(
      coreData: NSPersistentStoreSaveError, reason,
      [
        NSValidationKeyErrorKey: name,
        NSLocalizedFailureReasonErrorKey:
          "\(reason): \(step.destination.name) needs its \(step.reference?.relationship.name ?? ""), e.g. the row with the "
          + "key \(key).",
      ])
  }

  private mutating func delete(_ root: SQLEntity, _ changes: inout BatchChanges) throws {
    let keys = DeletionPlan.keys(of: root)
    if history != nil {
      for number in root.numbers where plan.numbers.contains(number) {
        if let entity = store.schema.entity(number: number) { try history?.noteDeletions(of: entity, in: keys) }
      }
    }
    if options.rows {
      try store.collect(try statement(plan.rows(root).statement(dialect))) {
        changes.deleted.append(BatchedRow(key: $0.int(0), number: Int(clamping: $0.int(1))))
      }
    }
    try statement(plan.deletion(root).statement(dialect)).run()
    let count = connection.changes
    if count > 0 { changes.roots.insert(root.entity.layout.rootNumber) }
    changes.count += count
  }

  private var dialect: any SQLDialect { store.schema.dialect }

  private func statement(_ printed: SQLStatement) throws -> SQLiteStatement { try connection.statement(printed.text) }

  private func first(_ printed: SQLStatement) throws -> Int64? { try connection.integer(printed.text) }
}
