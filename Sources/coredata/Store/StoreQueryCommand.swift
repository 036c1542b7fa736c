import ArgumentParser
import CommandSupport
import CoreData
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata store query`: prints the objects that match a predicate.
struct StoreQueryCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case table, json, csv
  }

  static let configuration = CommandConfiguration(
    commandName: "query", abstract: "Prints the objects of an entity that match a predicate.",
    discussion: """
      Columns are key paths: attributes, to-one relationships and what lies beyond them, such as owner.name, and \
      aggregates of to-many ones, such as tags.@count. Without --columns all attributes and to-one relationships are \
      printed. Of a composite attribute all elements are. Objects of subentities are found too.
      """)

  @OptionGroup var input: StoreInput

  @Argument(help: "The entity.")
  var entity: String

  @Option(
    help: """
      The predicate, such as 'age > 30 AND name CONTAINS[c] "a"'. Dates, UUIDs and objects are written as texts: \
      date >= "2024-05-10T18:14:11Z" (without a time, midnight; without a zone, UTC), \
      key == "173EF017-8551-4A76-AD07-19D8830FDC81", self == "Person/p1".
      """)
  var predicate: String?

  @Option(
    parsing: .unconditional, help: "Key paths to sort by, separated by commas; a minus before one turns it round.")
  var sort: String?

  @Option(parsing: .unconditional, help: "The largest number of objects; 0 for all.")
  var limit: Int = 0

  @Option(parsing: .unconditional, help: "How many objects to leave out at the beginning.")
  var offset: Int = 0

  @Option(help: "Key paths, separated by commas.")
  var columns: String?

  @Flag(help: "Print the number of objects alone.")
  var count = false

  @Flag(help: "Print the SQL and the plan for it, and no objects.")
  var explain = false

  @Option(help: "table, json or csv.")
  var format = Format.table

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
    if offset < 0 { throw ValidationError("--offset must be 0 or more.") }
    if let predicate, predicate.allSatisfy(\.isWhitespace) {
      throw ValidationError("The predicate is empty. Leave --predicate out to get all objects.")
    }
  }

  func run() throws {
    try input.query { store in
      // The entity is checked first, so that an unknown entity is reported as such and not as an unknown property.
      let all = try store.valueColumns(of: entity)
      let columns = try (self.columns.map(StoreQuery.list) ?? all).map { try QueryColumn($0, of: entity, in: store) }
      let query = try makeQuery(columns, store)
      if explain {
        print(try explanation(query, store))
      } else if count {
        print(try store.count(query))
      } else {
        try QueryOutput(columns, format).write(query, of: store)
      }
    }
  }

  private func makeQuery(_ columns: [QueryColumn], _ store: any QueriedStore) throws -> StoreQuery {
    var query = try StoreQuery(entity: entity, predicate: predicate, sort: sort, in: store)
    query.columns = columns.flatMap(\.keyPaths)
    query.limit = limit
    query.offset = offset
    return query
  }

  private func explanation(_ query: StoreQuery, _ store: any QueriedStore) throws -> String {
    let explained = try store.explain(query, isCount: count)
    if format == .json {
      return try JSONEncoder.tool.text(
        of: QueryExplanation(sql: explained.sql, bindings: explained.bindings, plan: explained.plan))
    }
    let bindings = explained.bindings.enumerated().map { "?\($0.offset + 1) = \($0.element)" }
    return ([explained.sql] + bindings + [""] + explained.plan).joined(separator: "\n")
  }
}

private struct QueryExplanation: Encodable {
  var sql: String
  var bindings: [String]
  var plan: [String]
}
