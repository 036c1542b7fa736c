import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata explain`: shows what a database does for a fetch.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain", abstract: "Shows what a fetch makes the database do, and which index it lacks.",
    discussion: """
      Prints the SQL, the plan of SQLite or of the server in words, the index that serves the fetch or is missing, and how many rows are looked \
      at and found. Rows that are looked at are an estimate: by an index, as many as have the same values on average. Rows \
      that are found are counted, which takes as long as the fetch.

      Not a byte of the store or its folder is changed. A server carries the fetch out once, SQLite does not. Exits with 0 whether an index is missing or not.
      """)

  @OptionGroup var input: StoreInput

  @Argument(help: "The entity.")
  var entity: String

  @Option(help: "The predicate, as in coredata store query.")
  var predicate: String?

  @Option(
    parsing: .unconditional, help: "Key paths to sort by, separated by commas; a minus before one turns it round.")
  var sort: String?

  @Option(parsing: .unconditional, help: "The largest number of objects; 0 for all.")
  var limit: Int = 0

  @Option(parsing: .unconditional, help: "How many objects to leave out at the beginning.")
  var offset: Int = 0

  @Flag(help: "Explain counting the objects.")
  var count = false

  @Flag(help: "Count nothing, for a store that is too large to wait for.")
  var noRows = false

  @Option(help: "table or json.")
  var format = StoreReportFormat.table

  func validate() throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more.") }
    if offset < 0 { throw ValidationError("--offset must be 0 or more.") }
    if let predicate, predicate.allSatisfy(\.isWhitespace) {
      throw ValidationError("The predicate is empty. Leave --predicate out to explain fetching all objects.")
    }
  }

  func run() throws {
    try input.query { store in
      // The entity is checked first, so that an unknown entity is reported as such and not as an unknown property.
      let columns = try store.valueColumns(of: entity)
      var query = try StoreQuery(entity: entity, predicate: predicate, sort: sort, in: store)
      // A fetch reads whole rows, which an index alone does not contain, so the plan is made for all columns.
      query.columns = columns
      query.limit = limit
      query.offset = offset
      let report = try ExplainReport(query, of: store, isCount: count, countsRows: !noRows)
      print(format == .json ? try JSONEncoder.tool.text(of: report) : report.text)
    }
  }
}
