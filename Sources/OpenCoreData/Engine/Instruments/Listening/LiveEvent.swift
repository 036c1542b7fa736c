/// An event of a running program, as a client is told of it.
struct LiveEvent: Encodable, Sendable {
  /// The number of the event; numbers increase by one.
  var number = 0
  /// When the event ended, in seconds since 1970.
  let time: Double
  /// The name of the activity's kind, `statement` or `finding`.
  let kind: String
  let thread: UInt64
  var entity: String?
  var relationship: String?
  /// The shape of a predicate, a key path, a statement, or a finding in words. Without values.
  var text: String?
  /// What to do about a finding.
  var advice: String?
  /// The function that caused what was found.
  var caller: String?
  var rows = 0
  var updated: Int?
  var deleted: Int?
  var failed: Bool?
  let milliseconds: Double
}

extension RecordedActivity.Kind {
  /// The kind in words, without an article.
  var words: String {
    switch self {
    case .fetch, .fetchKeys, .fetchDictionaries: "fetch"
    case .count: "count"
    case .objectFault: "fault"
    case .relationshipFault: "relationship fault"
    case .prefetch: "prefetch"
    case .save: "save"
    case .batchRequest: "batch request"
    case .migration: "migration"
    }
  }

  /// Whether many of this kind in a row are work that one request could do.
  var mayRepeat: Bool { [.fetch, .fetchKeys, .count, .objectFault, .relationshipFault].contains(self) }
}
