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

/// What changes whenever somebody writes a store: number, size and times of its file and of its log.
struct StoreStamp: Equatable, Sendable {
  private struct File: Equatable, Sendable {
    var inode: UInt64
    var size: Int64
    var changed: [Int]
  }

  private let files: [File?]
  private let read: Int

  /// Nil for a store that is no file.
  init?(_ url: URL) {
    guard url.isFileURL else { return nil }
    files = ["", "-wal", "-journal"].map { Self.file(url.path + $0) }
    guard files[0] != nil else { return nil }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    read = now.tv_sec
  }

  static func == (one: Self, other: Self) -> Bool { one.files == other.files }

  /// Whether the last change is so long ago that the next one gets another time: clocks of files tick some hundred
  /// times a second.
  var isSettled: Bool { files.allSatisfy { ($0?.changed[0] ?? 0) < read - 1 } }

  private static func file(_ path: String) -> File? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return File(
      inode: UInt64(status.st_ino), size: Int64(status.st_size),
      changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec, status.st_mtim.tv_sec, status.st_mtim.tv_nsec])
  }
}
