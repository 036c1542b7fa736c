import CocoaFoundation
import Foundation
import Testing

@Suite("Undo manager against a model")
struct UndoManagerRandomTests {
  /// A group, told by the state to go back to instead of by operations.
  private struct Group {
    var before: [Int]
    var name = ""
    /// What is in it in order: single operations (nil) and groups.
    var members: [Group?] = []

    var operationCount: Int { members.reduce(0) { $0 + ($1?.operationCount ?? 1) } }
  }

  private struct Model {
    var undo: [Group] = []
    var redo: [Group] = []
    var open: [Group] = []
    var levels = 0

    mutating func trim() {
      guard levels > 0 else { return }
      undo = undo.suffix(levels)
      redo = redo.suffix(levels)
    }

    mutating func close(_ group: Group) {
      if open.isEmpty { undo.append(group) } else { open[open.count - 1].members.append(group) }
      trim()
    }

    /// What reverses a group again.
    func recording(of group: Group, before: [Int]) -> Group {
      Group(before: before, name: group.name, members: Array(repeating: nil, count: group.operationCount))
    }
  }

  private final class Numbers {
    let manager: UndoManager
    var state = [0, 0, 0, 0]
    init(_ manager: UndoManager) { self.manager = manager }

    func set(_ index: Int, _ value: Int) {
      let old = state[index]
      state[index] = value
      manager.registerUndo(withTarget: self) { $0.set(index, old) }
    }
  }

  @Test("Any sequence of operations leaves manager and model alike")
  func operations() {
    var random = SeededGenerator(for: "UndoManager")
    let seed = random.seed
    for _ in 0..<300 * Soak.factor {
      let manager = UndoManager()
      manager.groupsByEvent = false
      let numbers = Numbers(manager)
      var model = Model()
      for step in 0..<80 {
        let operation = Int.random(in: 0..<20, using: &random)
        apply(operation, manager, numbers, &model, &random)
        let place = "seed \(seed), step \(step), operation \(operation)"
        let open = model.open.contains { !$0.members.isEmpty } ? model.open.first : nil
        let top = open ?? model.undo.last
        #expect(manager.groupingLevel == model.open.count, "\(place)")
        #expect(manager.undoCount == model.undo.count + (open == nil ? 0 : 1), "\(place)")
        #expect(manager.canUndo == (top != nil), "\(place)")
        #expect(manager.redoCount == model.redo.count, "\(place)")
        #expect(manager.undoActionName == top?.name ?? "", "\(place)")
        #expect(manager.redoActionName == model.redo.last?.name ?? "", "\(place)")
      }
    }
  }

  private func apply(
    _ operation: Int, _ manager: UndoManager, _ numbers: Numbers, _ model: inout Model,
    _ random: inout SeededGenerator
  ) {
    let before = numbers.state
    switch operation {
    case 0..<6 where !model.open.isEmpty:
      numbers.set(Int.random(in: 0..<4, using: &random), Int.random(in: 0..<1000, using: &random))
      model.open[model.open.count - 1].members.append(nil)
      model.redo = []
    case 6..<10 where model.open.count < 4:
      manager.beginUndoGrouping()
      model.open.append(Group(before: before))
    case 10..<13:
      guard let group = model.open.popLast() else { break }
      manager.endUndoGrouping()
      model.close(group)
    case 13, 14:
      guard model.open.count < 2 else { break }
      manager.undo()
      if let group = model.open.popLast() { model.close(group) }
      guard let group = model.undo.popLast() else { break }
      #expect(numbers.state == group.before)
      model.redo.append(model.recording(of: group, before: before))
      model.trim()
    case 15, 16:
      manager.redo()
      guard let group = model.redo.popLast() else { break }
      // A group that was undone out of the middle of others goes back to where its operations lead.
      model.close(model.recording(of: group, before: before))
    case 17:
      guard let last = model.open.indices.last, let group = model.open[last].members.last ?? nil else { break }
      manager.undoNestedGroup()
      #expect(numbers.state == group.before)
      model.open[last].members.removeLast()
      model.redo.append(model.recording(of: group, before: before))
      model.trim()
    case 18:
      let name = ["", "A", "B"].randomElement(using: &random) ?? ""
      manager.setActionName(name)
      for i in model.open.indices { model.open[i].name = name }
      if model.open.isEmpty, !model.undo.isEmpty { model.undo[model.undo.count - 1].name = name }
    case 19:
      model.levels = Int.random(in: 0..<6, using: &random)
      manager.levelsOfUndo = model.levels
      model.trim()
    default: break
    }
  }
}
