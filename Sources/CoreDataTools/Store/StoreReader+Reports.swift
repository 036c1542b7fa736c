import CommandSupport
import OpenCoreData

extension StoreReader {
  /// Returns information about the store: versions, entities with numbers of objects, sizes. Counting reads each table once.
  public func info(progress: (ToolProgress) -> Void = { _ in }) throws -> StoreInfoReport {
    try asking { store in
      if kind.isSQLite, let store = store as? InspectedStore {
        return StoreInfoReport(
          store,
          try store.facts { name, done, total in progress(ToolProgress("Counting \(name)", done, of: total)) })
      }
      return try StoreInfoReport(
        url, kind: kind, metadata: metadata, model: model, isKept: access.given == nil, copy: copy)
    }
  }

  /// Looks for everything in the store that is not as it should be.
  /// - Parameters:
  ///   - progress: Called with the name of each check.
  ///   - isCancelled: Called before each check. ``cancel()`` also ends the check that is running.
  /// - Throws: a `CancellationError` if the check was cancelled; a `ToolError` for a store in one XML or binary file and for a web
  ///   service, in which there is nothing to check.
  public func verify(
    progress: (ToolProgress) -> Void = { _ in }, isCancelled: () -> Bool = { false }
  ) throws -> StoreVerifyReport {
    let problems = try asking { store -> [StoreProblem] in
      func show(_ name: String, _ done: Int, _ total: Int) {
        progress(ToolProgress("Checking \(name)", done, of: total))
      }
      if let served { return try served.problems(progress: show) }
      guard kind.isSQLite, let store = store as? InspectedStore else {
        throw ToolError(
          "\(url.shown) is a store of the kind \(kind.rawValue), which is read as a whole or not at all. Only a SQLite store "
            + "and one in a PostgreSQL server can be checked.")
      }
      return StoreVerification(store).problems(progress: show) { isCancelled() || self.isCancelled }
    }
    if isCancelled() { throw CancellationError() }
    return StoreVerifyReport(url, problems)
  }
}
