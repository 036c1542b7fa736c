import CoreData

extension Check {
  static let emptyGroupCounts = Check(
    "D-UND-05", "a group that was ended empty by hand counts as an action",
    expected: "can undo true"
  ) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    manager.beginUndoGrouping()
    manager.endUndoGrouping()
    return "can undo \(manager.canUndo)"
  }
}
