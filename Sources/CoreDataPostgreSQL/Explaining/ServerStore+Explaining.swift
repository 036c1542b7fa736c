#if PostgreSQL
  import Foundation
  @_spi(Store) import OpenCoreData

  /// A statement of a flight with the details that are needed to explain it.
  struct ExplainedFlightPart: Sendable {
    /// The watch of the store that ran the statement.
    let watch: ObjectIdentifier
    let statement: ServerStatement
    let values: ServerValues
  }

  extension ServerStore {
    private static let begin = ServerStatement("BEGIN READ ONLY", isWork: false)
    private static let commit = ServerStatement("COMMIT", isWork: false)
    /// The server reads a small table as a whole even if indexes exist. These settings make that expensive, so that the
    /// plan shows what the indexes could do.
    private static let preferringIndexes = [
      ServerStatement("SET LOCAL enable_seqscan = off", isWork: false),
      ServerStatement("SET LOCAL enable_sort = off", isWork: false),
    ]

    /// Returns the server's plan for the values with which a statement ran, and what the store's indexes could do for
    /// it.
    package func explain(
      _ statement: CollectedStatement, for context: NSManagedObjectContext
    ) throws -> ExplainedQuery? {
      guard let part = statement.details as? ExplainedFlightPart, part.watch == ObjectIdentifier(watch) else {
        return nil
      }
      let explaining = ServerStatement(
        "EXPLAIN (FORMAT JSON) " + part.statement.text, types: part.statement.types, isPrepared: false, isWork: false)
      var texts: [String] = []
      do {
        try withWriter { connection in
          var flight = Flight()
          texts = []
          flight.add(Self.begin)
          flight.add(explaining, part.values) { texts.append($0.string(0, 0)) }
          for setting in Self.preferringIndexes { flight.add(setting) }
          flight.add(explaining, part.values) { texts.append($0.string(0, 0)) }
          flight.add(Self.commit)
          try connection.run(flight, deadline: deadline)
        }
      } catch let error as ServerError {
        throw error.cocoaError(self, isWriting: false)
      }
      guard texts.count == 2, let plan = try PlanNode.read(texts[0]), let served = try PlanNode.read(texts[1]) else {
        return nil
      }
      return ExplainedQuery(part, plan, served: served)
    }
  }

  extension ExplainedQuery {
    /// - Parameter served: the plan that reads the table as a whole only if no index serves.
    fileprivate init(_ part: ExplainedFlightPart, _ plan: PlanNode, served: PlanNode) {
      let steps = plan.all(), best = served.all().map(\.node), spine = served.spine
      let sorts = spine.contains(where: \.sorts) && !spine.contains { $0.groupKey != nil }
      var indexes: [String] = []
      // An index that is read as a whole serves only for its order.
      for node in best where node.condition != nil || !sorts {
        if let index = node.index, !indexes.contains(index) { indexes.append(index) }
      }
      func isWhole(_ node: PlanNode) -> Bool {
        node.alias == "t0" && (node.kind == "Seq Scan" || node.kind.hasPrefix("Index") && node.condition == nil)
      }
      self.init(
        sql: part.statement.text, bindings: part.values.texts(part.statement.types),
        plan: steps.map { String(repeating: "  ", count: $0.depth) + $0.node.line },
        words: steps.map { String(repeating: "  ", count: $0.depth) + $0.node.words }, indexes: indexes, sorts: sorts,
        groups: spine.contains { $0.groupKey != nil && $0.kind != "Group" && !$0.isOrdered },
        scansTable: best.contains(where: isWhole),
        // The plan has the number of rows that a step returns. A step that reads the whole table looks at all rows,
        // which the caller counts.
        examined: steps.map(\.node).first { $0.alias == "t0" }.flatMap { isWhole($0) ? nil : Int($0.rows) })
    }
  }

  extension PlanNode {
    /// Whether the groups come out of an index in order.
    fileprivate var isOrdered: Bool { !spine.contains(where: \.sorts) && spine.contains { $0.index != nil } }
  }
#endif
