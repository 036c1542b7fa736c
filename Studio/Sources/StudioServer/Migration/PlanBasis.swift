/// The source of a plan, which determines the details that the plan can show.
enum PlanBasis: Sendable {
  /// The store itself: its rows are counted.
  case store
  /// An empty store of the same kind: its tables and statements are those of the store.
  case emptyStore
  /// An empty store of another kind: tables and statements of the store would be others.
  case emptyStoreOfAnotherKind

  var isCounted: Bool { self == .store }
  var hasStatements: Bool { self != .emptyStoreOfAnotherKind }
}
