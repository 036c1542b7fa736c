#if PostgreSQL
  // Texts of a server's plan for people: in the server's terms, and in plain words.
  extension PlanNode {
    /// The step as EXPLAIN prints it without costs: `Index Scan using "Person.age" on "Person" t0 (about 5 rows): (age
    /// > $1)`.
    var line: String {
      var line = kind
      if let index { line += " using \"\(index)\"" }
      if let table { line += " on \"\(table)\"" }
      if let alias, alias != table { line += " \(alias)" }
      line += " (about \(Self.count(rows)))"
      let details = [
        condition, filter.map { "filter " + $0 }, sortKey.map { $0.joined(separator: ", ") },
        groupKey.map { $0.joined(separator: ", ") },
      ].compactMap(\.self)
      return details.isEmpty ? line : line + ": " + details.joined(separator: "; ")
    }

    /// The step in plain words. Tables have the names of their entities, and columns those of attributes.
    var words: String { (subplan == nil ? "" : "for a condition, ") + step }

    private var step: String {
      let name = table ?? "the rows"
      let conditions = condition.map { ": " + Self.plain($0) } ?? ""
      let rest = filter.map { ", and keeps those with " + Self.plain($0) } ?? ""
      let index = index ?? "?"
      return switch kind {
      case "Seq Scan": "reads every row of \(name)" + rest
      case "Index Scan" where condition == nil, "Index Only Scan" where condition == nil:
        "reads every row of \(name) in the order of index \(index)" + rest
      case "Index Scan": "finds rows of \(name) by index \(index)" + conditions + rest
      case "Index Only Scan": "finds rows of \(name) by index \(index) alone" + conditions + rest
      case "Bitmap Index Scan": "finds the places of rows by index \(index)" + conditions
      case "Bitmap Heap Scan": "reads the rows of \(name) that were found, in the order of the table" + rest
      case "Tid Scan": "finds rows of \(name) by their places"
      case "Sort": "sorts what it found by \(Self.plain(sortKey?.filter { !$0.hasSuffix("_pk") }))"
      case "Incremental Sort":
        "sorts what it found among equals, by \(Self.plain(sortKey?.filter { !$0.hasSuffix("_pk") }))"
      case "Limit": "ends when there are enough"
      case "Aggregate":
        groupKey == nil ? "puts all rows together" : "puts rows into groups by \(Self.plain(groupKey))"
      case "Hash Join": "finds partners in a table that it makes of one side"
      case "Merge Join": "finds partners side by side, both in one order"
      case "Nested Loop": "for each row, looks for its partners"
      case "Hash": "makes a table for finding partners"
      case "Materialize", "Memoize": "keeps what it found, to read it again"
      case "Unique": "leaves out what was there before"
      case "Append", "BitmapOr": "finds rows in several ways, one after the other"
      case "BitmapAnd": "takes the rows that are found in all ways"
      case "Gather", "Gather Merge": "puts together what several processes found"
      case "Result": "computes values" + rest
      case "Function Scan": "goes through a list of values"
      case "Subquery Scan": "takes each of those" + rest
      default: kind.lowercased()
      }
    }

    /// Returns a condition without quotes and without the aliases of tables.
    private static func plain(_ condition: String) -> String {
      condition.replacing(/\bt[0-9]+\./, with: "").replacing("\"", with: "")
    }

    private static func plain(_ keys: [String]?) -> String { (keys ?? []).map(plain).joined(separator: ", ") }

    private static func count(_ rows: Double) -> String { rows == 1 ? "1 row" : "\(Int(rows)) rows" }
  }
#endif
