import Foundation

/// The ways to arrange contexts that are compared.
enum Arrangement: String, CaseIterable, Codable, Sendable {
  case one, merging, refetching, child, levels, coordinators, automatic, history

  var title: String {
    switch self {
    case .one: "one context"
    case .merging: "two, merging"
    case .refetching: "two, fetching again"
    case .child: "parent and child"
    case .levels: "three levels"
    case .coordinators: "two coordinators"
    case .automatic: "merging by itself"
    case .history: "history, by token"
    }
  }

  /// Opens the store at a place, with the contexts of the arrangement.
  ///
  /// - Throws: The errors of opening the store.
  @MainActor func open(at url: URL) throws -> any ArrangedContexts {
    switch self {
    case .one: try OneContext(at: url)
    case .merging: try MergingContexts(at: url)
    case .refetching: try RefetchingContexts(at: url)
    case .child: try ParentAndChild(at: url)
    case .levels: try ThreeLevels(at: url)
    case .coordinators: try TwoCoordinators(at: url)
    case .automatic: try AutomaticMerging(at: url)
    case .history: try HistoryFollowing(at: url)
    }
  }
}
