import CoreData

extension Check {
  static let openGroupsStay = Check(
    "D-UND-05", "open groups stay open after removeAllActions",
    expected: "level 1"
  ) {
    let manager = UndoManager()
    manager.groupsByEvent = false
    manager.beginUndoGrouping()
    manager.removeAllActions()
    return "level \(manager.groupingLevel)"
  }
}
