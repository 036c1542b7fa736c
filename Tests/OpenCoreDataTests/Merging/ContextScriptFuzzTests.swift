import CoreData
import FuzzSupport
import Testing

/// Random scripts of several contexts. One that fails is cut down to the lines that it takes.
@Suite struct ContextScriptFuzzTests {
  enum Kind: String, CaseIterable, Sendable {
    /// Two contexts that change the same relationships to one object and save one after the other without merging.
    case pair = "two contexts that save by policies"
    /// Contexts with children that save by policies, and merge at times.
    case policies = "contexts that save by policies"
    /// Contexts with children that undo, redo and roll back between merges.
    case undoing = "contexts that undo between merges"
  }

  struct Writer {
    let kind: Kind
    var generator: SeededGenerator
    private var nextNumber = 100

    init(_ kind: Kind, seed: UInt64) { (self.kind, generator) = (kind, SeededGenerator(seed: seed)) }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private mutating func one<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &generator)] }

    private mutating func object(_ entity: String) -> String {
      if nextNumber > 100, number(0...5) == 0 {
        return "\(entity) \(number(101...nextNumber))"
      }
      if entity == "Tag" { return "Tag \(number(10...12))" }
      let number = number(0...5)
      return number == 5 ? "Leaf 5" : "Node \(number)"
    }

    private mutating func edit() -> String {
      let entity = number(0...3) == 0 ? "Tag" : "Node", label = object(entity)
      switch number(0...11) {
      case 0: return "delete \(label)"
      case 1: return "\(label).name"
      case 2 where kind != .pair:
        nextNumber += 1
        return "insert \(one(["Node", "Node", "Tag"])) \(nextNumber)"
      case 3 where kind != .pair && number(0...4) == 0:
        return "\(object("Node")).\(one(["items", "followers", "leaders"]))>\(number(0...2))"
      case 3...5 where kind != .pair:
        let name = one(["children", "items", "parts", "tags", "friends", "followers", "leaders"])
        return "\(object("Node")).\(name)\(one(["+", "+", "-"]))\(object(name == "tags" ? "Tag" : "Node"))"
      default:
        let name =
          entity == "Tag" ? "first" : one(["partner", "partner", "firstOf", "firstOf", "parent", "whole", "owner"])
        let member = number(0...3) == 0 ? "nil" : object(name == "firstOf" ? "Tag" : "Node")
        return "\(label).\(name)=\(member)"
      }
    }

    private mutating func edits(_ name: String, _ count: ClosedRange<Int>) -> [String] {
      (0..<number(count)).map { _ in "\(name): \(edit())" }
    }

    mutating func script() -> [String] {
      if kind == .pair {
        var lines = ["A: policy \(one(ContextScript.policies))"] + edits("B", 0...2) + ["B: save"]
        // What A has read is of before the second save of B.
        for _ in 0..<number(0...4) { lines.append("A: read \(object(one(["Node", "Tag"])))") }
        return lines + edits("A", 0...2) + edits("B", 1...2) + ["B: save"] + edits("A", 0...2) + ["A: save"]
      }
      var lines: [String] = []
      for name in ContextScript.names {
        if kind == .policies, number(0...4) > 0 { lines.append("\(name): policy \(one(ContextScript.policies))") }
        if kind == .undoing { lines.append("\(name): undo manager") }
        if number(0...2) == 0 { lines.append("\(name): automatic") }
      }
      for _ in 0..<number(20...70) {
        let name = one(ContextScript.names)
        switch number(0...9) {
        case 0, 1: lines.append("\(name): save")
        case 2: lines.append("\(name): \(one(["merge", "merge", "merge", "refresh all"]))")
        case 3 where number(0...1) == 0: lines.append("\(name): fetch")
        case 3: lines.append("\(name): \(one(["read", "read", "refresh"])) \(object(one(["Node", "Tag"])))")
        case 4 where kind == .undoing: lines.append("\(name): \(one(["undo", "undo", "redo", "rollback"]))")
        default: lines += edits(name, 1...2)
        }
        if number(0...3) == 0 { lines.append("\(name): check" + one(["", " " + object(one(["Node", "Tag"]))])) }
      }
      return lines
    }
  }

  @Test(arguments: Kind.allCases, TestStore.all) func bothEndsAgree(_ kind: Kind, _ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let coordinator = try UndoGraph.coordinator(store, url: url)
    // A store in a server takes much longer.
    let cases = store.type == NSSQLiteStoreType || store.type == NSInMemoryStoreType ? 20 : 4
    try FuzzCampaign("\(kind.rawValue) in \(store.name)", cases: cases, smallSeed: 20_261_128).run { seed in
      var writer = Writer(kind, seed: seed)
      let lines = writer.script()
      if try ContextScript.run(lines, coordinator).isEmpty { return }
      let short = try ScriptReduction.minimal(lines) { try !ContextScript.run($0, coordinator).isEmpty }
      let found = try ContextScript.run(short, coordinator)
      Issue.record("case \(seed):\n\(short.joined(separator: "\n"))\n\(found.prefix(5).joined(separator: "\n"))")
    }
  }
}
