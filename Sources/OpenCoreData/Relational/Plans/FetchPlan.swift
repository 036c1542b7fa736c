import Synchronization

/// The results that a fetch's statement returns.
package enum FetchPlanResult: Sendable { case rows, keys, count }

/// A fetch and its statement.
package final class FetchPlan<Statement: Sendable>: @unchecked Sendable {  // immutable but for the atomic count
  package let target: FetchTarget
  package let result: FetchPlanResult
  package let statement: Statement
  /// The number of rows in the last result of this plan or of another one of the same shape.
  let sharedCount: RowCount

  package init(target: FetchTarget, result: FetchPlanResult, statement: Statement, count: RowCount = RowCount()) {
    self.target = target
    self.result = result
    self.statement = statement
    sharedCount = count
  }

  /// The number of rows in the last result, for which the next run reserves memory.
  package var lastCount: Int {
    get { sharedCount.value }
    set { sharedCount.value = newValue }
  }
}

/// A number of rows that all plans of one shape share.
package final class RowCount: Sendable {
  private let count = Atomic<Int>(0)

  package init() {}

  package var value: Int {
    get { count.load(ordering: .relaxed) }
    set { count.store(newValue, ordering: .relaxed) }
  }
}

extension SQLFetch {
  /// The fetch of the rows, keys or count that a request asks for.
  package init(_ target: FetchTarget, _ result: FetchPlanResult, model: SQLModel, entity: SQLEntity) {
    self.init(model: model, entity: entity)
    predicate = target.predicate
    sortDescriptors = target.sortDescriptors
    limit = target.limit
    offset = target.offset
    includesSubentities = target.includesSubentities
    rows = target.rows
    switch result {
    case .rows: self.result = .rows
    case .keys: self.result = .keys
    case .count: self.result = .count
    }
  }
}
