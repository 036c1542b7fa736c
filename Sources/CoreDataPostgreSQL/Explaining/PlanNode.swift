#if PostgreSQL
  import Foundation

  /// A step of a server's plan, as EXPLAIN (FORMAT JSON) returns it.
  struct PlanNode: Decodable {
    let kind: String
    let table: String?
    let alias: String?
    let index: String?
    /// The condition by which rows are found, in an index or by their place in the table.
    let condition: String?
    /// The condition that is tested on the rows that were read.
    let filter: String?
    let sortKey: [String]?
    /// The first sort keys, by which the rows are sorted already.
    let presortedKey: [String]?
    let groupKey: [String]?
    let rows: Double
    /// The name of a subquery that yields a value or a set of values.
    let subplan: String?
    let children: [PlanNode]

    private enum CodingKeys: String, CodingKey {
      case kind = "Node Type"
      case table = "Relation Name"
      case alias = "Alias"
      case index = "Index Name"
      case indexCondition = "Index Cond"
      case rowCondition = "TID Cond"
      case filter = "Filter"
      case sortKey = "Sort Key"
      case presortedKey = "Presorted Key"
      case groupKey = "Group Key"
      case rows = "Plan Rows"
      case subplan = "Subplan Name"
      case children = "Plans"
    }

    /// A statement of EXPLAIN's list, with its plan.
    private struct Statement: Decodable {
      let plan: PlanNode

      private enum CodingKeys: String, CodingKey { case plan = "Plan" }
    }

    /// Reads a plan.
    /// - Throws: an error of the decoder for a text that is no plan.
    static func read(_ json: String) throws -> PlanNode? {
      try JSONDecoder().decode([Statement].self, from: Data(json.utf8)).first?.plan
    }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      kind = try values.decode(String.self, forKey: .kind)
      table = try values.decodeIfPresent(String.self, forKey: .table)
      alias = try values.decodeIfPresent(String.self, forKey: .alias)
      index = try values.decodeIfPresent(String.self, forKey: .index)
      condition =
        try values.decodeIfPresent(String.self, forKey: .indexCondition)
        ?? values.decodeIfPresent(String.self, forKey: .rowCondition)
      filter = try values.decodeIfPresent(String.self, forKey: .filter)
      sortKey = try values.decodeIfPresent([String].self, forKey: .sortKey)
      presortedKey = try values.decodeIfPresent([String].self, forKey: .presortedKey)
      groupKey = try values.decodeIfPresent([String].self, forKey: .groupKey)
      rows = try values.decodeIfPresent(Double.self, forKey: .rows) ?? 0
      subplan = try values.decodeIfPresent(String.self, forKey: .subplan)
      children = try values.decodeIfPresent([PlanNode].self, forKey: .children) ?? []
    }

    /// Whether an index has the rows in the order of the sort descriptors, so that only equal rows are sorted by their
    /// keys.
    private var sortsTiesAlone: Bool {
      guard let sortKey, let presortedKey else { return false }
      return presortedKey.count == sortKey.count - 1 && sortKey.last?.hasSuffix("_pk") == true
    }

    /// Whether this step sorts rows because no index has them in this order.
    var sorts: Bool { sortKey != nil && !sortsTiesAlone }

    /// Returns this step and all steps below it, each with its depth.
    func all(depth: Int = 0) -> [(depth: Int, node: PlanNode)] {
      [(depth, self)] + children.flatMap { $0.all(depth: depth + 1) }
    }

    /// The steps through which the rows of the result pass, up to the step that joins several tables.
    var spine: [PlanNode] {
      let inputs = children.filter { $0.subplan == nil }
      return [self] + (inputs.count == 1 ? inputs[0].spine : [])
    }
  }
#endif
