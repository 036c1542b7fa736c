import CocoaFoundation
import Foundation
import Testing

@Suite("Groups of events")
struct UndoManagerEventTests {
  /// Runs a turn of the current thread's run loop.
  private func turn() {
    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }

  @Test("What is registered within an event is one action")
  func event() {
    let manager = UndoManager()
    let document = Document(manager)
    document.set("a")
    document.set("b")
    #expect(manager.groupingLevel == 1 && manager.canUndo)
    turn()
    #expect(manager.groupingLevel == 0)
    document.set("c")
    turn()
    manager.undo()
    #expect(document.text == "b")
    manager.undo()
    #expect(document.text == "")
    #expect(manager.redoCount == 2)
  }

  @Test("An undo closes the event's group; groups begun by the program are within it")
  func undo() {
    let manager = UndoManager()
    let document = Document(manager)
    document.group { document.set("a") }
    document.group { document.set("b") }
    #expect(manager.groupingLevel == 1)
    manager.undo()
    #expect(document.text == "" && manager.groupingLevel == 0)
    document.set("c")
    turn()
    #expect(manager.groupingLevel == 0 && manager.undoCount == 1)
  }

  @Test("The event's group stays open as long as one within it")
  func longGroup() {
    let manager = UndoManager()
    let document = Document(manager)
    manager.beginUndoGrouping()
    document.set("a")
    turn()
    #expect(manager.groupingLevel == 2)
    document.set("b")
    manager.endUndoGrouping()
    turn()
    #expect(manager.groupingLevel == 0)
    manager.undo()
    #expect(document.text == "")
  }

  @Test("The group is closed in the run loop's modes that were asked for")
  func modes() {
    let manager = UndoManager()
    manager.runLoopModes = [RunLoop.Mode("drag")]
    Document(manager).set("a")
    turn()
    #expect(manager.groupingLevel == 1)
    manager.runLoopModes = [.default]
    turn()
    #expect(manager.groupingLevel == 0)
  }

  @Test("A manager may go before its event ends")
  func deallocation() {
    weak var weakly: UndoManager?
    do {
      let manager = UndoManager()
      Document(manager).set("a")
      weakly = manager
    }
    #expect(weakly == nil)
    turn()
  }
}
