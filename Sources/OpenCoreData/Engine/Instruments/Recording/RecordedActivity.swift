/// An activity of a context as the recorder writes it.
package struct RecordedActivity {
  /// The kind of activity.
  package enum Kind: UInt8, Sendable, CaseIterable {
    /// A fetch of objects; `rows` counts the results.
    case fetch = 1
    /// A fetch of keys alone: for object IDs, or for pages.
    case fetchKeys
    case fetchDictionaries
    case count
    /// A fault that the row cache could not answer; `rows` counts the rows that were read, including the object's own.
    case objectFault
    /// A to-many relationship that the row cache could not answer; `rows` counts the members.
    case relationshipFault
    /// Members of one relationship, read for many owners; `rows` counts the objects at the relationship's other end.
    case prefetch
    /// A save to stores, or of a child context to its parent.
    case save
    case batchRequest
    case migration
  }

  var kind: Kind
  /// When the activity began, in ticks.
  var start: UInt64
  var end: UInt64 = 0
  /// The entity of the activity.
  unowned(unsafe) var entity: NSEntityDescription?
  /// The relationship that was a fault, or that led to the object that was a fault.
  unowned(unsafe) var relationship: NSPropertyDescription?
  /// The shape of a predicate, a key path, or the place of a store.
  var detail: String?
  /// The number of rows, or of objects that were inserted.
  var rows = 0
  var updated = 0
  var deleted = 0
  /// The number of the fetch, to which the count of its fired faults refers.
  var number = 0
  /// Whether the activity threw an error.
  var failed = false
}
