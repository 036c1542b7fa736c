#if PostgreSQL
  @_spi(Store) import OpenCoreData

  /// Reads the relationships that a fetch prefetches in the flight of the fetch. The owners' keys are not known before
  /// the fetch is answered, so each statement contains the fetch's condition in place of the keys.
  ///
  /// The server has to find the objects again for each of these statements. So this is done only if a round trip takes
  /// longer than that. The fetch must have no limit, because a page has the same rows each time only if its order is
  /// complete.
  final class PrefetchReading {
    /// Relationships are prefetched in the flight if a round trip takes at least this many microseconds.
    static let slowRoundTrip: Int64 = 1_000

    /// A relationship of a key path, and what was read for it.
    private final class Step {
      let slot: PropertySlot
      let destination: EntityLayout
      var next: [String: Step] = [:]
      /// The keys of the objects that the relationship leads to.
      var reached: [Int64] = []
      var members: [Int64: KeyArray] = [:]
      var rows: ContiguousArray<Snapshot> = []

      init(_ slot: PropertySlot, _ destination: EntityLayout) { (self.slot, self.destination) = (slot, destination) }
    }

    /// A statement with the handler of its result.
    private struct Part {
      let statement: ServerStatement
      let values: ServerValues
      let handler: ReadFlight.Handler
    }

    private let store: ServerStore
    private let transaction: ServerReadTransaction
    private let layout: EntityLayout
    private var steps: [String: Step] = [:]
    private var parts: [Part] = []

    /// Creates the statements. Returns nil if it is better to read the relationships after the objects: level by level,
    /// by the objects' keys.
    init?(_ target: FetchTarget, _ entity: SQLEntity, _ transaction: ServerReadTransaction) throws {
      store = transaction.store
      self.transaction = transaction
      layout = target.layout
      guard !target.prefetched.isEmpty, target.limit == 0, target.offset == 0, !transaction.isPinned,
        store.roundTrip.load(ordering: .relaxed) >= Self.slowRoundTrip
      else { return nil }
      for keyPath in target.prefetched where !add(keyPath) { return nil }
      let keys = try SQLFetch(target, .keys, model: store.schema, entity: entity).keys()
      try addParts(steps, of: keys, layout)
    }

    /// Adds the steps of a key path.
    /// - Returns: false if the path does not follow stored relationships, which is an error of the request.
    private func add(_ keyPath: String) -> Bool {
      var layout = layout
      var level = steps, path: [Step] = []
      for name in keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
        guard let slot = layout.slot(named: name), slot.kind.isRelationship, !slot.isTransient,
          let destination = slot.destination
        else { return false }
        let step = level[name] ?? Step(slot, destination.layout)
        if let last = path.last { last.next[name] = step } else { steps[name] = step }
        path.append(step)
        (layout, level) = (destination.layout, step.next)
      }
      return true
    }

    // MARK: Statements

    private func addParts(_ steps: [String: Step], of owners: SQLSelect, _ layout: EntityLayout) throws {
      let entity = try store.entity(layout.entity)
      for (name, step) in steps.sorted(by: { $0.key < $1.key }) {
        let reached: SQLSelect
        if let toMany = entity.toManys[name] {
          let members = SQLMembers(toMany, in: store.schema)
          let statement = try store.gatheringMembers(members.keys(ofOwnersIn: owners), of: toMany)
          try add(statement) { [store] result, commit in
            store.readMembers(result, toMany, commit) { owner, members in
              step.members[owner] = members
              step.reached += members.keys
            }
          }
          reached = members.members(ofOwnersIn: owners)
        } else if let position = entity.positions[name], case .toOne(let toOne) = entity.columns[position] {
          reached = SQLSelect(
            [.column(alias: 0, name: toOne.keyColumn)], from: entity.tableName, alias: 0,
            where: .inSelect(.column(alias: 0, name: entity.fixed.key), owners))
        } else {
          continue
        }
        try addRows(of: step, reached)
        try addParts(step.next, of: reached, step.destination)
      }
    }

    /// Adds the statement for the rows of a step. If the row cache has rows of the entity, no statement is added, and
    /// the rows that the cache lacks are read later by their keys. For a to-one relationship with further steps the
    /// statement is always added.
    private func addRows(of step: Step, _ keys: SQLSelect) throws {
      let entity = try store.entity(step.destination.entity)
      let isToOne = step.slot.kind == .toOne
      guard store.rows.shard(step.destination.rootNumber).isEmpty || isToOne && !step.next.isEmpty else { return }
      let reading = RowReading(store.decoders[entity])
      let statement = try SQLRowReading(entity: entity).byKeys(in: keys).statement(store.schema.dialect)
      try add(statement) { result, commit in
        try reading.check(result)
        for row in 0..<result.rowCount {
          step.rows.append(reading.decode(result, row, commit: commit))
          if isToOne { step.reached.append(result.int64(row, 0)) }
        }
      }
    }

    private func add(_ statement: SQLStatement, _ handler: @escaping ReadFlight.Handler) throws {
      parts.append(
        Part(
          statement: try ServerStatement(statement), values: try ServerValues(statement), handler: handler))
    }

    func add(to flight: inout ReadFlight) {
      for part in parts { flight.add(part.statement, part.values, part.handler) }
    }

    // MARK: Results

    /// Discards the results of an earlier attempt.
    func begin() { Self.forget(steps) }

    private static func forget(_ steps: [String: Step]) {
      for step in steps.values {
        (step.reached, step.members, step.rows) = ([], [:], [])
        forget(step.next)
      }
    }

    /// Keeps the results: rows in the cache, members until the context asks for them.
    /// - Parameter owners: the keys of the fetch's objects.
    func keep(for owners: ContiguousArray<Int64>) {
      var prefetched = PrefetchedMembers(moment: transaction.moment)
      keep(steps, of: Array(owners), layout, &prefetched)
      transaction.prefetched = prefetched
    }

    private func keep(
      _ steps: [String: Step], of owners: [Int64], _ layout: EntityLayout, _ prefetched: inout PrefetchedMembers
    ) {
      for step in steps.values {
        if !step.rows.isEmpty { transaction.keep(step.rows, in: store.rows, root: step.destination.rootNumber) }
        if step.slot.kind == .toMany {
          let id = store.relationID(layout, step.slot), commit = transaction.pinnedCommit
          for owner in owners where step.members[owner] == nil {
            step.members[owner] = KeyArray(ascending: [], entities: [], commit: commit)
          }
          transaction.keep(step.members.map { ($0.key, $0.value) }, in: store.rows, relation: id)
          // Two key paths may follow the same relationship, each from other owners.
          prefetched.members[id, default: [:]].merge(step.members) { first, _ in first }
        }
        keep(step.next, of: step.reached, step.destination, &prefetched)
      }
    }
  }
#endif
