/// Finds where the client of a connection begins to wait for the server.
public struct RoundTripScanner {
  /// How many of the client's syncs and simple queries have no answer yet.
  private var unanswered = 0
  /// Whether the server awaits the rows of a COPY.
  private var isCopying = false
  /// Whether the client's next sync ends a COPY that it has just ended.
  private var endsCopy = false
  /// Whether the last command was a simple query.
  private var isSimple = false

  public init() {}

  /// - Returns: whether the client waits from this message on, and has not waited before it.
  public mutating func note(_ kind: MessageScanner.Kind, of side: MessageScanner.Side) -> Bool {
    switch (side, kind) {
    case (.client, "S") where endsCopy:
      endsCopy = false
      return false
    // The server leaves out a sync that comes while it awaits rows.
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
