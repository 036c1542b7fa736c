import Foundation
import Synchronization

/// The numbers of objects in views of a store. They are valid until the store's files change.
///
/// Counting a million rows takes longer than showing a hundred of them.
final class KeptCounts: Sendable {
  /// The part of a view that determines its number of objects: the order and the columns do not change the number.
  fileprivate struct Subject: Hashable {
    var entity: String
    var predicate: String?
    var includesSubentities: Bool

    init(_ view: EntityView) {
      (entity, predicate, includesSubentities) = (view.entity, view.predicate, view.includesSubentities)
    }
  }

  private struct State {
    var stamp: StoreStamp?
    var numbers: [Subject: Int] = [:]
    var made = 0
  }

  /// The maximal number of counts that are kept; a user looks at fewer views.
  private static let limit = 500

  private let state = Mutex(State())

  /// The number of times that objects were counted, for tests.
  var made: Int { state.withLock(\.made) }

  /// The numbers that were valid at one moment.
  struct Moment: Sendable {
    fileprivate let numbers: [Subject: Int]

    func number(_ view: EntityView) -> Int? { numbers[Subject(view)] }
  }

  /// Returns the numbers that are valid for the present read transaction. The call must be inside of this transaction.
  ///
  /// If the files now are as they were when the objects were counted, they were the same when the transaction began.
  func ofNow(_ url: URL) -> Moment {
    guard let stamp = StoreStamp(url) else { return Moment(numbers: [:]) }
    return state.withLock { Moment(numbers: $0.stamp == stamp ? $0.numbers : [:]) }
  }

  /// Keeps a number.
  /// - Parameters:
  ///   - before: The stamp from before the objects were counted; nil if the number must not be kept.
  ///   - url: The place of the store.
  func keep(_ number: Int, of view: EntityView, _ before: StoreStamp?, _ url: URL) {
    let isSafe = before.map { $0.isSettled && $0 == StoreStamp(url) } ?? false
    state.withLock { state in
      state.made += 1
      guard isSafe else { return }
      if state.stamp != before || state.numbers.count >= Self.limit { (state.stamp, state.numbers) = (before, [:]) }
      state.numbers[Subject(view)] = number
    }
  }
}
