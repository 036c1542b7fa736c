import CoreData
import Foundation
import Synchronization

/// Results that are given out in pages: each keeps its context, whose query generation shows the store as it was.
///
/// A page is given once, so that an asker who is gone costs no more than a place: the oldest result makes way for a new one, and one
/// of which nobody wanted a page for a minute goes with the next request.
final class OpenPages: Sendable {
  struct Result: Sendable {
    let context: NSManagedObjectContext
    let identifiers: [NSManagedObjectID]
    let include: [String]
    var position = 0

    init(context: NSManagedObjectContext, identifiers: [NSManagedObjectID], include: [String]) {
      (self.context, self.identifiers, self.include) = (context, identifiers, include)
    }
  }

  private struct Kept {
    let name: String
    let result: Result
    let since: ContinuousClock.Instant
  }

  private let kept = Mutex<[Kept]>([])

  func keep(_ result: Result, limit: Int) -> String {
    let name = UUID().uuidString
    let now = ContinuousClock.now
    kept.withLock { kept in
      kept.removeAll { now - $0.since > .seconds(60) }
      kept.removeFirst(max(0, kept.count + 1 - limit))
      kept.append(Kept(name: name, result: result, since: now))
    }
    return name
  }

  func take(_ name: String) -> Result? {
    kept.withLock { kept in
      kept.firstIndex { $0.name == name }.map { kept.remove(at: $0).result }
    }
  }

  func closeAll() { kept.withLock { $0 = [] } }
}
