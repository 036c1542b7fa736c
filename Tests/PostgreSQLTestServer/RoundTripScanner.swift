/// Finds the messages at which the client of a connection begins to wait for the server.
public struct RoundTripScanner {
  /// The number of syncs and simple queries of the client that have no answer yet.
  private var unanswered = 0
  /// Whether the server waits for the rows of a COPY.
  private var isCopying = false
  /// Whether the client has just ended a COPY, so that its next sync belongs to that COPY.
  private var endsCopy = false
  /// Whether the last command was a simple query.
  private var isSimple = false

  public init() {}

  /// Takes the next message of a side.
  /// - Returns: whether the client begins to wait at this message, and did not wait before it.
  public mutating func note(_ kind: MessageScanner.Kind, of side: MessageScanner.Side) -> Bool {
    switch (side, kind) {
    case (.client, "S") where endsCopy:
      endsCopy = false
      return false
    // The server ignores a sync while it waits for rows.
    case (.client, "S") where isCopying: return false
    case (.client, "S"), (.client, "Q"):
      isSimple = kind == "Q"
      return begin()
    case (.client, "c") where isCopying, (.client, "f") where isCopying:
      isCopying = false
      endsCopy = !isSimple
      return begin()
    case (.server, "G"):
      isCopying = true
      unanswered = 0
      return false
    case (.server, "Z"):
      unanswered = max(0, unanswered - 1)
      return false
    default: return false
    }
  }

  private mutating func begin() -> Bool {
    unanswered += 1
    return unanswered == 1
  }
}
