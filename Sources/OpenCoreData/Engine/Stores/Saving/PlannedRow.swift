/// A row that a save deletes, or only looks at.
struct PlannedRow {
  let key: Int64
  /// The version that the row must have; nil where nobody has read it.
  let version: Int64?
  unowned(unsafe) let layout: EntityLayout

  init(_ object: NSManagedObject) {
    key = object.key
    version = object.rowReference.map { $0._withUnsafeGuaranteedRef { $0.version } }
    layout = object.layout
  }
}
