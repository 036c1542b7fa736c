import Synchronization

/// How many requests were answered, by the first part of their paths.
public final class RequestCounts: Sendable {
  /// Paths come from outside: what the service does not have is counted together.
  private static let known: Set = ["store", "query", "pages", "objects", "ids", "save", "saves"]

  private let counts = Mutex<[String: Int]>([:])

  public var all: [String: Int] { counts.withLock { $0 } }

  func note(_ path: String) {
    let name = path.split(separator: "/").first.map(String.init) ?? ""
    counts.withLock { $0[Self.known.contains(name) ? name : "other", default: 0] += 1 }
  }
}
