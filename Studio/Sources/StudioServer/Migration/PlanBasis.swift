/// The source of a plan, which determines the details that the plan can show.
enum PlanBasis: Sendable {
  /// The store itself, with its rows counted.
  case store
  /// An empty store of the same kind, which has the same tables and statements as the store.
  case emptyStore
  /// An empty store of another kind, whose tables and statements differ from those of the store.
  case emptyStoreOfAnotherKind

  var isCounted: Bool { self == .store }
  var hasStatements: Bool { self != .emptyStoreOfAnotherKind }
}
