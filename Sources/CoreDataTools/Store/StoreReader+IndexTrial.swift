import CommandSupport
import Foundation
import OpenCoreData

extension StoreReader {
  /// Finds out the effect of an index on a query: makes the index in a copy of the store in a temporary folder, and runs the
  /// query there before and after.
  /// - Parameters:
  ///   - properties: Attributes and to-one relationships, the most significant first; ` descending` behind the name reverses
  ///     the order, as in ``ExplainReport/missing``.
  ///   - entity: The entity that has the properties.
  ///   - query: The query; each run reads all rows that the query finds.
  ///   - progress: Called with the work that is being done.
  ///   - isCancelled: Called between the steps. ``cancel()`` also ends the step that is running.
  /// - Throws: a `ToolError` if the index is not possible, the store is not in SQLite's format, or there is no room for the
  ///   copy.
  public func tryIndex(
    _ properties: [String], entity: String, for query: ObjectQuery,
    progress: @escaping @Sendable (ToolProgress) -> Void = { _ in },
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws -> IndexTrial {
    guard kind.isSQLite else {
      throw ToolError("\(url.shown) is a store of the kind \(kind.rawValue). Indexes are tried in SQLite stores alone.")
    }
    guard !properties.isEmpty else { throw ToolError("An index needs at least one property.") }
    let given = access.given
    return try trying {
      let reporter = ProgressReporter({ if let state = $0 { progress(state) } }) {
        isCancelled() || self.isCancelled
      }
      try reporter.show(ToolProgress("Copying the store"))
      let copying = Progress(totalUnitCount: 0)
      let copy = try reporter.watching(
        copying, { ToolProgress("Copying the store", Int($0), of: Int($1), unit: "pages") }
      ) { try Rehearsal(of: self.url, progress: copying) }
      defer { withExtendedLifetime(copy) {} }
      let size = (try? FileManager.default.attributesOfItem(atPath: copy.url.path)[.size] as? NSNumber)?.intValue ?? 0
      let store = try InspectedStore(copy.url, model: given)
      let (before, rows) = try run(query, store, reporter, "Running the query without the index")
      // The lock of a reader would prevent the index from being made.
      store.endReading()
      try reporter.show(ToolProgress("Making the index"))
      let start = ContinuousClock().now
      let index = try TriedIndex(on: properties, of: entity, inCopyAt: copy.url, like: store) { stop($0) }
      let seconds = start.duration(to: ContinuousClock().now).seconds
      let indexed = try InspectedStore(copy.url, model: given)
      let (after, _) = try run(query, indexed, reporter, "Running the query with the index")
      return IndexTrial(
        entity: entity, properties: properties, sql: index.sql, before: before, after: after, rows: rows,
        makingSeconds: seconds, indexBytes: index.size, storeBytes: size)
    }
  }

  /// The largest number of runs of a query, and the seconds after which no further run begins.
  private static let repetitions = 5, patience = 10.0

  private func run(
    _ query: ObjectQuery, _ store: InspectedStore, _ reporter: ProgressReporter, _ text: String
  ) throws -> (IndexTrial.Run, rows: Int) {
    nonisolated(unsafe) let running = store  // any thread may stop the store
    stop { running.stop() }
    defer { stop {} }
    var asked = try storeQuery(query, store)
    asked.columns = try query.columns.flatMap { try QueryColumn($0, of: query.entity, in: store).keyPaths }
    var times: [Double] = []
    var rows = 0
    for number in 1...Self.repetitions {
      try reporter.show(ToolProgress(text, number, of: Self.repetitions))
      rows = 0
      let start = ContinuousClock().now
      try store.rows(of: asked) { _ in
        rows += 1
        if rows.isMultiple(of: 1024) { try reporter.check() }
      }
      times.append(start.duration(to: ContinuousClock().now).seconds)
      if times.reduce(0, +) > Self.patience { break }
    }
    var explained = asked
    explained.columns = try store.valueColumns(of: query.entity)
    let report = try ExplainReport(explained, of: store, isCount: false, countsRows: false)
    return (IndexTrial.Run(times: times, report), rows)
  }
}

extension Duration {
  /// The duration in seconds.
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
