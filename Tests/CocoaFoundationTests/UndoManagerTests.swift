import CocoaFoundation
import Foundation
import Testing

/// What a user changes, each change registering its reverse.
final class Document: NSObject {
  let manager: UndoManager
  private(set) var text = ""

  init(_ manager: UndoManager) {
    self.manager = manager
  }

  func set(_ new: String) {
    let old = text
    text = new
    manager.registerUndo(withTarget: self) { $0.set(old) }
  }

  func group(_ body: () -> Void) {
    manager.beginUndoGrouping()
    body()
    manager.endUndoGrouping()
  }
}

/// The notifications of a manager, by their short names.
final class NotificationLog: @unchecked Sendable {  // Used by the thread that posts.
  private(set) var names: [String] = []
  private(set) var discardable: [String] = []
  private var token: NSObjectProtocol?

  init(_ manager: UndoManager) {
    token = NotificationCenter.default.addObserver(forName: nil, object: manager, queue: nil) { [unowned self] in
      let name = $0.name.rawValue.dropFirst("NSUndoManager".count).dropLast("Notification".count)
      names.append(String(name))
      if $0.userInfo?[NSUndoManagerGroupIsDiscardableKey] as? Bool == true { discardable.append(String(name)) }
    }
  }

  func stop() { token.map(NotificationCenter.default.removeObserver) }

  func take() -> [String] {
    defer { names = [] }
    return names
  }
}

@Suite("Undo manager")
struct UndoManagerTests {
  private let manager = UndoManager()
  private let document: Document

  init() {
    manager.groupsByEvent = false
    document = Document(manager)
  }

  @Test("One undo reverses a group, nested ones included, and redo repeats it")
  func groups() {
    document.group {
      document.set("a")
      document.group { document.set("ab") }
      document.set("abc")
    }
    document.group { document.set("d") }
    #expect(manager.undoCount == 2)
    manager.undo()
    #expect(document.text == "abc")
    manager.undo()
    #expect(document.text == "")
    #expect(!manager.canUndo && manager.canRedo && manager.redoCount == 2)
    manager.redo()
    #expect(document.text == "abc")
    manager.redo()
    #expect(document.text == "d")
    #expect(manager.canUndo && !manager.canRedo)
    manager.redo()
    manager.undo()
    document.group { document.set("e") }
    #expect(!manager.canRedo)
    manager.undo()
    manager.undo()
    manager.undo()
    #expect(document.text == "")
  }

  @Test("A nested group is undone by itself, within an open one")
  func nested() {
    manager.beginUndoGrouping()
    document.group { document.set("a") }
    document.group { document.set("b") }
    #expect(manager.groupingLevel == 1)
    manager.undoNestedGroup()
    #expect(document.text == "a")
    #expect(manager.redoCount == 1)
    manager.redo()
    #expect(document.text == "b")
    manager.endUndoGrouping()
    manager.undo()
    #expect(document.text == "")
  }

  @Test("The manager tells what it is doing")
  func states() {
    var states: [[Bool]] = []
    func note() {
      states.append([manager.isUndoing, manager.isRedoing])
      manager.registerUndo(withTarget: document) { _ in note() }
    }
    document.group(note)
    manager.undo()
    manager.redo()
    #expect(states == [[false, false], [true, false], [false, true]])
    #expect(!manager.isUndoing && !manager.isRedoing && manager.groupingLevel == 0)
  }

  @Test("Levels drop the oldest groups")
  func levels() {
    manager.levelsOfUndo = 2
    for text in ["a", "b", "c"] { document.group { document.set(text) } }
    #expect(manager.undoCount == 2)
    manager.undo()
    manager.undo()
    manager.undo()
    #expect(document.text == "a")
    manager.levelsOfUndo = 1
    #expect(manager.redoCount == 1)
    manager.redo()
    #expect(document.text == "b")
    manager.levelsOfUndo = 0
    for text in ["1", "2", "3"] { document.group { document.set(text) } }
    #expect(manager.undoCount == 4)
  }

  @Test("Registration is disabled and enabled as often")
  func registration() {
    manager.disableUndoRegistration()
    manager.disableUndoRegistration()
    manager.enableUndoRegistration()
    #expect(!manager.isUndoRegistrationEnabled)
    document.set("a")
    #expect(!manager.canUndo)
    manager.removeAllActions()
    #expect(manager.isUndoRegistrationEnabled)
    document.group { document.set("b") }
    #expect(manager.canUndo)
    manager.removeAllActions()
    #expect(!manager.canUndo)
  }

  @Test("Actions have names, which redo keeps, and menus their titles")
  func names() {
    document.group {
      document.set("a")
      document.group {
        document.set("b")
        manager.setActionName("Typing")
      }
    }
    #expect(manager.undoActionName == "Typing")
    #expect(manager.undoMenuItemTitle == "Undo Typing")
    #expect(manager.redoMenuItemTitle == "Redo")
    manager.undo()
    #expect(manager.redoMenuItemTitle == "Redo Typing")
    #expect(manager.undoMenuItemTitle == "Undo")
    manager.redo()
    #expect(manager.undoActionName == "Typing")
    manager.setActionName("")
    #expect(manager.undoMenuItemTitle == "Undo")
  }

  @Test("Values go with actions")
  func userInfo() {
    let key = UndoManager.UserInfoKey("selection")
    document.group {
      document.set("a")
      manager.setActionUserInfoValue(3, forKey: key)
    }
    #expect(manager.undoActionUserInfoValue(forKey: key) as? Int == 3)
    #expect(manager.redoActionUserInfoValue(forKey: key) == nil)
    manager.setActionUserInfoValue(nil, forKey: key)
    #expect(manager.undoActionUserInfoValue(forKey: key) == nil)
    document.group {
      manager.registerUndo(withTarget: document) { [manager] in
        $0.set("b")
        manager.setActionUserInfoValue(4, forKey: key)
      }
    }
    manager.undo()
    #expect(manager.redoActionUserInfoValue(forKey: key) as? Int == 4)
  }

  @Test("A group is discardable if all in it is")
  func discardable() {
    let log = NotificationLog(manager)
    document.group {
      document.set("a")
      manager.setActionIsDiscardable(true)
    }
    #expect(manager.undoActionIsDiscardable && !manager.redoActionIsDiscardable)
    #expect(log.discardable == ["WillCloseUndoGroup", "DidCloseUndoGroup"])
    document.group {
      document.set("b")
      manager.setActionIsDiscardable(true)
      document.set("c")
    }
    #expect(!manager.undoActionIsDiscardable)
    #expect(log.discardable.count == 2)
    log.stop()
  }

  @Test("Notifications come in their order")
  func notifications() {
    let log = NotificationLog(manager)
    let closing = ["Checkpoint", "WillCloseUndoGroup", "DidCloseUndoGroup"]
    manager.beginUndoGrouping()
    #expect(log.take() == ["DidOpenUndoGroup"])
    manager.beginUndoGrouping()
    #expect(log.take() == ["Checkpoint", "DidOpenUndoGroup"])
    document.set("a")
    #expect(log.take() == [])
    manager.endUndoGrouping()
    #expect(log.take() == closing)
    manager.undo()
    let undone: [String] = ["Checkpoint"] + closing + ["Checkpoint", "WillUndoChange", "DidOpenUndoGroup"] + closing
    #expect(log.take() == undone + ["DidUndoChange"])
    _ = manager.canUndo
    #expect(log.take() == [])
    _ = manager.canRedo
    #expect(log.take() == ["Checkpoint"])
    manager.redo()
    #expect(
      log.take() == ["Checkpoint", "WillRedoChange", "DidOpenUndoGroup"] + closing + ["DidRedoChange"])
    log.stop()
  }

  @Test("Who observes the checkpoint registers into the group that closes, in an undo too")
  func checkpoint() {
    nonisolated(unsafe) var pending: [String] = []  // Used by this thread only, as the document.
    nonisolated(unsafe) let document = document
    let token = NotificationCenter.default.addObserver(
      forName: .NSUndoManagerCheckpoint, object: manager, queue: nil
    ) { _ in
      guard let last = pending.last, document.manager.groupingLevel > 0 else { return }
      pending = []
      document.set(last)
    }
    manager.beginUndoGrouping()
    pending = ["a"]
    manager.endUndoGrouping()
    #expect(document.text == "a")
    document.group { manager.registerUndo(withTarget: document) { _ in pending = ["b"] } }
    manager.undo()
    #expect(document.text == "b")
    #expect(manager.canRedo && manager.undoCount == 1)
    manager.redo()
    #expect(document.text == "a")
    NotificationCenter.default.removeObserver(token)
  }

  @Test("A group that the program ends empty is an action, which can be undone and redone")
  func emptyGroups() {
    document.group { document.set("a") }
    document.group {}
    document.group { document.group {} }
    document.group { document.set("b") }
    #expect(manager.undoCount == 4)
    for count in 1...4 {
      manager.undo()
      #expect(manager.undoCount == 4 - count && manager.redoCount == count && manager.canRedo)
    }
    #expect(document.text == "")
    for count in 1...4 {
      manager.redo()
      #expect(manager.undoCount == count && manager.redoCount == 4 - count)
    }
    #expect(document.text == "b" && !manager.canRedo)
  }
}
