#if PostgreSQL
  /// Settings that are sent in each transaction. A pooler gives each transaction another session: a setting of the session
  /// would stay with other clients, and be missing in the next transaction.
  struct LocalSettings: Sendable {
    /// The statement that makes all settings, until the transaction ends.
    let text: String

    init(_ settings: [(name: String, value: String)]) {
      let calls = settings.map { "set_config(\(Self.literal($0.name)), \(Self.literal($0.value)), true)" }
      text = "SELECT \(calls.joined(separator: ", "))"
    }

    private static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// How far a flight has come, which decides before which statements the settings are sent.
    struct Progress {
      /// Whether a transaction is open that was begun with BEGIN.
      private var isWithin: Bool
      /// Whether the settings were sent in the open transaction, or in the segment, which is a transaction of its own without
      /// BEGIN.
      private var isSet: Bool

      init(isWithin: Bool) { (self.isWithin, isSet) = (isWithin, isWithin) }

      /// Notes that a statement is sent.
      /// - Returns: whether the settings have to be sent before the statement.
      mutating func needsSettings(before text: String) -> Bool {
        let isEnd = text == "COMMIT" || text.hasPrefix("ROLLBACK") && !text.hasPrefix("ROLLBACK TO")
        if text.hasPrefix("BEGIN") || isEnd {
          (isWithin, isSet) = (!isEnd, false)
          return false
        }
        defer { isSet = true }
        return !isSet
      }

      /// Notes the end of a segment. Settings that were sent outside BEGIN and COMMIT end with the segment.
      mutating func endSegment() { if !isWithin { isSet = false } }
    }
  }
#endif
