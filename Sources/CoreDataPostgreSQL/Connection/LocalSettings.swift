#if PostgreSQL
  /// Settings that go with each transaction, behind a pooler that gives each transaction another session: a setting of the
  /// session would stay with others, and miss in the next transaction.
  struct LocalSettings: Sendable {
    /// Sets all of them until the transaction ends.
    let text: String

    init(_ settings: [(name: String, value: String)]) {
      let calls = settings.map { "set_config(\(Self.literal($0.name)), \(Self.literal($0.value)), true)" }
      text = "SELECT \(calls.joined(separator: ", "))"
    }

    private static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// Where a flight is: which of its statements need the settings before them.
    struct Progress {
      /// Whether a transaction that BEGIN has begun is open.
      private var isWithin: Bool
      /// Whether the settings were sent in the transaction, or in the segment, which is one without BEGIN.
      private var isSet: Bool

      init(isWithin: Bool) { (self.isWithin, isSet) = (isWithin, isWithin) }

      /// Notes that a statement is sent.
      /// - Returns: whether the settings are to be sent before it.
      mutating func needsSettings(before text: String) -> Bool {
        let isEnd = text == "COMMIT" || text.hasPrefix("ROLLBACK") && !text.hasPrefix("ROLLBACK TO")
        if text.hasPrefix("BEGIN") || isEnd {
          (isWithin, isSet) = (!isEnd, false)
          return false
        }
        defer { isSet = true }
        return !isSet
      }

      /// A segment ends, and with it what was set in it alone.
      mutating func endSegment() { if !isWithin { isSet = false } }
    }
  }
#endif
