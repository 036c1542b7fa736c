import CocoaFoundation
import Foundation
import Testing

@Suite("Targets of an undo manager")
struct UndoManagerTargetTests {
  private let manager = UndoManager()

  init() {
    manager.groupsByEvent = false
  }

  private func group(_ body: () -> Void) {
    manager.beginUndoGrouping()
    body()
    manager.endUndoGrouping()
  }

  @Test("The actions of a target are removed, and groups that are empty then")
  func removal() {
    let first = Document(manager)
    let second = Document(manager)
    group { first.set("a") }
    group {
      first.set("b")
      second.set("x")
    }
    group { second.set("y") }
    manager.undo()
    manager.beginUndoGrouping()
    manager.removeAllActions(withTarget: second)
    #expect(manager.redoCount == 0 && manager.undoCount == 2)
    manager.removeAllActions(withTarget: first)
    #expect(!manager.canUndo)
    manager.endUndoGrouping()
  }

  private final class Drawing {
    let manager: UndoManager
    var scale = 1.0 {
      didSet { manager.prepare(withInvocationTarget: self).scale = oldValue }
    }
    var strokes: [String] = []

    init(_ manager: UndoManager) { self.manager = manager }

    func draw(_ stroke: String) {
      strokes.append(stroke)
      manager.prepare(withInvocationTarget: self).invoke { $0.erase() }
    }

    func erase() {
      guard let stroke = strokes.popLast() else { return }
      manager.prepare(withInvocationTarget: self).invoke { $0.draw(stroke) }
    }
  }

  @Test("A prepared invocation sets a property or runs a block, and can be redone")
  func invocations() {
    let drawing = Drawing(manager)
    group { drawing.scale = 2 }
    group { drawing.draw("line") }
    #expect(drawing.scale == 2 && drawing.strokes == ["line"])
    manager.undo()
    manager.undo()
    #expect(drawing.scale == 1 && drawing.strokes.isEmpty)
    manager.redo()
    manager.redo()
    #expect(drawing.scale == 2 && drawing.strokes == ["line"])
  }

  @Test("A target is not retained, and its actions do nothing once it is gone")
  func gone() {
    var target: Document? = Document(manager)
    weak let weakly = target
    group { target?.set("a") }
    target = nil
    #expect(weakly == nil)
    #expect(manager.canUndo)
    manager.undo()
    #expect(!manager.canUndo && !manager.canRedo)
  }

  /// Removes its actions when it goes, as code for Apple's platforms must.
  private final class Tidy {
    let manager: UndoManager
    init(_ manager: UndoManager) { self.manager = manager }
    deinit { manager.removeAllActions(withTarget: self) }
  }

  @Test("Actions that are let go may use the manager again")
  func reentrance() {
    for removeAll in [manager.removeAllActions, { manager.levelsOfUndo = 1 }, { manager.undo() }] {
      manager.levelsOfUndo = 0
      let document = Document(manager)
      for _ in 0..<3 {
        let tidy = Tidy(manager)
        group {
          manager.registerUndo(withTarget: document) { _ in withExtendedLifetime(tidy) {} }
          manager.setActionUserInfoValue(Tidy(manager), forKey: .init("tidy"))
        }
      }
      removeAll()
      manager.removeAllActions(withTarget: document)
      #expect(!manager.canUndo)
    }
  }

  @Test("What an action removes does not run any more")
  func removalWhileRunning() {
    let document = Document(manager)
    group {
      document.set("a")
      manager.registerUndo(withTarget: manager) { $0.removeAllActions(withTarget: document) }
    }
    group {
      document.set("b")
      manager.registerUndo(withTarget: manager) { $0.removeAllActions() }
    }
    manager.undo()
    #expect(document.text == "b")
    #expect(!manager.canUndo && !manager.canRedo && manager.groupingLevel == 0)
  }

  private final class French: UndoManager {
    var groups = 0
    override func beginUndoGrouping() {
      groups += 1
      super.beginUndoGrouping()
    }
    override func undoMenuTitle(forUndoActionName actionName: String) -> String { "Annuler \(actionName)" }
  }

  @Test("Subclasses change titles and watch groups")
  func subclass() {
    let manager = French()
    manager.beginUndoGrouping()
    Document(manager).set("a")
    manager.setActionName("Frappe")
    #expect(manager.undoMenuItemTitle == "Annuler Frappe")
    #expect(manager.groups == 1)
  }

  @Test(
    "What is wrong stops the program with Apple's message",
    arguments: [
      "must begin a group before registering undo", "endUndoGrouping called with no matching begin",
      "undo was called with too many nested undo groups", "enableUndoRegistration called with no matching disable",
    ])
  func errors(message: String) async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      [message] in
      let manager = UndoManager()
      manager.groupsByEvent = false
      switch message.prefix(4) {
      case "must": Document(manager).set("a")
      case "endU": manager.endUndoGrouping()
      case "undo":
        manager.beginUndoGrouping()
        manager.beginUndoGrouping()
        manager.undo()
      default: manager.enableUndoRegistration()
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("NSInternalInconsistencyException") && text.contains(message))
  }
}

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
