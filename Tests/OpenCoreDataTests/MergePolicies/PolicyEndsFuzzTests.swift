import CoreData
import FuzzSupport
import Testing

/// Two contexts that change the same relationships to one object and save one after the other without merging: whatever
/// the policy of the second, both ends agree in the store, and in its context when that has merged.
@Suite struct PolicyEndsFuzzTests {
  private static let relations = [
    "Node": ["partner", "partner", "firstOf", "firstOf", "parent", "whole"], "Tag": ["first"],
  ]
  private static let destinations = ["firstOf": "Tag"]

  /// A script with few steps, so that what fails is short.
  private static func script(_ generator: inout SeededGenerator) -> [String] {
    func edit() -> String {
      let entity = Int.random(in: 0..<3, using: &generator) == 0 ? "Tag" : "Node", label = object(entity, &generator)
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: return "delete \(label)"
      case 1: return "\(label).name"
      default:
        let name = relations[entity]?.randomElement(using: &generator) ?? ""
        let isNil = Int.random(in: 0..<4, using: &generator) == 0
        return "\(label).\(name)=\(isNil ? "nil" : object(destinations[name] ?? "Node", &generator))"
      }
    }
    func edits(_ place: String, _ count: ClosedRange<Int>) -> [String] {
      (0..<Int.random(in: count, using: &generator)).map { _ in "\(place): \(edit())" }
    }
    let policy = PolicyScript.policies.randomElement(using: &generator) ?? ""
    var lines = ["policy \(policy)"] + edits("there", 0...2) + ["there: save"]
    // What the context here has read is of before the other's second save.
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      lines.append("here: read \(object(Bool.random(using: &generator) ? "Tag" : "Node", &generator))")
    }
    lines += edits("here", 0...2) + edits("there", 1...2) + ["there: save"]
    return lines + edits("here", 0...2) + ["here: save"]
  }

  private static func object(_ entity: String, _ generator: inout SeededGenerator) -> String {
    entity == "Tag"
      ? "Tag \(Int.random(in: 10..<12, using: &generator))"
      : "Node \(Int.random(in: 0..<4, using: &generator))"
  }

  @Test(arguments: TestStore.all) func bothEndsAgreeAfterAConflict(_ store: TestStore) throws {
    let url = try store.place()
    defer { store.remove(url) }
    let coordinator = try UndoGraph.coordinator(store, url: url)
    try FuzzCampaign("saving by policies in \(store.name)", cases: 60, smallSeed: 20_261_128).run { seed in
      var generator = SeededGenerator(seed: seed)
      let lines = Self.script(&generator)
      let found = try PolicyScript.run(lines, coordinator)
      #expect(found.isEmpty, "case \(seed):\n\(lines.joined(separator: "\n"))\n\(found.joined(separator: "\n"))")
    }
  }
}
