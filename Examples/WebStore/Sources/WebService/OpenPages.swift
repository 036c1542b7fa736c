import CoreData
import Foundation
import Synchronization

/// Results that are given out in pages: each keeps its context, whose query generation shows the store as it was.
///
/// Any page of a result may be asked for again, since its answer may have been lost. An asker who is gone costs no more than a place:
/// a result makes way for a new one, first those whose last page was given, then the one that was asked for longest ago. One
/// of which nobody wanted a page for a while goes with the next request.
final class OpenPages: Sendable {
  struct Result: Sendable {
    let context: NSManagedObjectContext
    let identifiers: [NSManagedObjectID]
    let include: [String]
  }

  private struct Kept {
    let name: String
    let result: Result
    var since: ContinuousClock.Instant
    var isRead = false
  }

  private let kept = Mutex<[Kept]>([])
  private let limit: Int
  private let patience: Duration
  private let now: @Sendable () -> ContinuousClock.Instant

  /// - Parameters:
  ///   - limit: how many results are kept.
  ///   - patience: how long a result is kept that nobody asks for.
  init(
    limit: Int, patience: Duration = .seconds(300),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) { (self.limit, self.patience, self.now) = (limit, patience, now) }

  /// How many results are kept.
  var count: Int { kept.withLock { $0.count } }

  /// - Returns: the name of the result.
  func keep(_ result: Result) -> String {
    dropOld()
    let name = UUID().uuidString
    let now = now()
    kept.withLock { kept in
      while kept.count >= max(1, limit) { kept.remove(at: kept.firstIndex { $0.isRead } ?? 0) }
      kept.append(Kept(name: name, result: result, since: now))
    }
    return name
  }

  /// The name of the page that begins at a position.
  static func page(_ position: Int, of name: String) -> String { "\(name)-\(position)" }

  /// The result that has a page of that name, and the position at which the page begins; nil if it is gone, or never was.
  func find(_ page: String) -> (name: String, result: Result, position: Int)? {
    guard let dash = page.lastIndex(of: "-"), let position = Int(page[page.index(after: dash)...]) else { return nil }
    let name = String(page[..<dash]), now = now()
    return kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.name == name }),
        kept[index].result.identifiers.indices.contains(position)
      else { return nil }
      // The one that was asked for last is the last to go.
      var found = kept.remove(at: index)
      found.since = now
      kept.append(found)
      return (name, found.result, position)
    }
  }

  /// Notes that the last page was given.
  func noteRead(_ name: String) {
    kept.withLock { kept in
      if let index = kept.firstIndex(where: { $0.name == name }) { kept[index].isRead = true }
    }
  }

  func dropOld() {
    let now = now()
    kept.withLock { kept in kept.removeAll { now - $0.since > patience } }
  }

  func closeAll() { kept.withLock { $0 = [] } }
}
