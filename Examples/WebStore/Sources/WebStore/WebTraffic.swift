import Foundation

/// One request and its answer.
public struct WebExchange: Sendable {
  public var method: String
  public var path: String
  /// How many documents came.
  public var rows: Int
  /// The HTTP status; nil if no answer came.
  public var status: Int?
}

/// What a store has asked its service, since it was opened or since `reset()`.
public struct WebTraffic: Sendable {
  /// The latest exchanges, up to 1,000.
  public internal(set) var exchanges: [WebExchange] = []
  /// How many requests were sent, repeated ones among them.
  public internal(set) var requests = 0
  /// How many of these repeated one that had failed.
  public internal(set) var retries = 0
  /// How many documents came.
  public internal(set) var rows = 0
  /// How many objects and members were answered from what was read before, because the service was away.
  public internal(set) var answeredFromMemory = 0
  /// What the service could not be asked, and was done here: "filtered here: title MATCHES ...".
  public internal(set) var notes: [String] = []

  mutating func note(_ exchange: WebExchange) {
    requests += 1
    rows += exchange.rows
    exchanges.append(exchange)
    if exchanges.count > 1000 { exchanges.removeFirst(500) }
  }

  mutating func note(_ text: String) {
    notes.append(text)
    if notes.count > 1000 { notes.removeFirst(500) }
  }
}
