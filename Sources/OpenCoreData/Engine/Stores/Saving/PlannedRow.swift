/// A row that a save deletes or only checks.
package struct PlannedRow {
  package let key: Int64
  /// The version that the row must have; nil if the row was not read.
  package let version: Int64?
  package unowned(unsafe) let layout: EntityLayout

  package init(_ object: NSManagedObject) {
    key = object.key
    version = object.rowReference?.read { $0.version }
    layout = object.layout
  }
}
