import Foundation
import Synchronization

/// The numbers of objects in views of a store. They are valid until the store's files change.
///
/// Counting a million rows takes longer than showing a hundred of them.
final class KeptCounts: Sendable {
  /// The part of a view on which its number depends: the order and the columns do not change it.
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

  /// The maximal number of counts kept, which is more than a user looks at.
  private static let limit = 500

  private let state = Mutex(State())

  /// The number of times that objects were counted, for tests.
  var made: Int { state.withLock(\.made) }

  /// The numbers of a moment.
  struct Moment: Sendable {
    fileprivate let numbers: [Subject: Int]

    func number(_ view: EntityView) -> Int? { numbers[Subject(view)] }
  }

  /// The numbers that are valid for the present read transaction; to be called inside of it.
  ///
  /// If the files now are as they were when the objects were counted, they were the same when the transaction began.
  func ofNow(_ url: URL) -> Moment {
    guard let stamp = StoreStamp(url) else { return Moment(numbers: [:]) }
    return state.withLock { Moment(numbers: $0.stamp == stamp ? $0.numbers : [:]) }
  }

  /// Keeps a number.
  /// - Parameters:
  ///   - before: the stamp from before it was counted; nil if none is to be relied on.
  ///   - url: where the store is.
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
