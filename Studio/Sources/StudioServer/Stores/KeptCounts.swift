import Foundation
import Synchronization

/// How many objects views of a store have, for as long as its files are as they were when they were counted.
///
/// Counting a million rows takes longer than showing a hundred of them.
final class KeptCounts: Sendable {
  /// What a number depends on: the order and the columns change nothing.
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

  /// More views than anybody looks at.
  private static let limit = 500

  private let state = Mutex(State())

  /// How often all objects of a view were counted.
  var made: Int { state.withLock(\.made) }

  /// The numbers of a moment.
  struct Moment: Sendable {
    fileprivate let numbers: [Subject: Int]

    func number(_ view: EntityView) -> Int? { numbers[Subject(view)] }
  }

  /// The numbers that hold for what is read; to be asked for inside of the read transaction.
  ///
  /// Where the files are now as they were when the objects were counted, they were so when the transaction began, too.
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
