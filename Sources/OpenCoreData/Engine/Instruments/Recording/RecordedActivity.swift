/// An activity of a context as the recorder writes it.
package struct RecordedActivity {
  /// The kind of activity.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// A fetch of objects; rows are those of the result.
    case fetch = 1
    /// A fetch of keys alone: for object IDs, or for pages.
    case fetchKeys
    case fetchDictionaries
    case count
    /// A fault that the row cache could not answer; rows are those that were read, its own among them.
    case objectFault
    /// A to-many relationship that the row cache could not answer; rows are members.
    case relationshipFault
    /// Members of one relationship read for many owners; rows are objects of the relationship's other end.
    case prefetch
    /// Written to stores or, of a child, to its parent.
    case save
    case batchRequest
    case migration
  }

  var kind: Kind
  /// In ticks.
  var start: UInt64
  var end: UInt64 = 0
  /// The entity that it is about.
  unowned(unsafe) var entity: NSEntityDescription?
  /// The relationship that was a fault, or that led to the object that was.
  unowned(unsafe) var relationship: NSPropertyDescription?
  /// The shape of a predicate, a key path, or where a store is.
  var detail: String?
  /// Rows, or objects that were inserted.
  var rows = 0
  var updated = 0
  var deleted = 0
  /// The fetch's number, for what becomes of its faults.
  var number = 0
  /// Whether it threw.
  var failed = false
}
