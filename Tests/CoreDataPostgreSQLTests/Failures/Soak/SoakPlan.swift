#if PostgreSQL
  import CoreData
  import Foundation

  /// What one save of a context is to do: drawn once, and made again where the save fails.
  struct SoakPlan {
    enum Change { case insert(String, SoakItem), update(String, SoakItem), delete(String) }

    var changes: [Change] = []
    /// The counters that it counts up.
    var counters: [Int] = []

    static let groups = 3, marks = 4, mostItems = 60

    init(
      for name: String, items: [String: SoakItem], next: inout Int, random: inout SeededGenerator
    ) {
      var left = items.keys.sorted()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let kind = Int.random(in: 0..<100, using: &random)
        if left.isEmpty || kind < (items.count < Self.mostItems ? 40 : 10) {
          changes.append(.insert("\(name).\(next)", Self.item(name, &random)))
          next += 1
        } else {
          let tag = left.remove(at: Int.random(in: 0..<left.count, using: &random))
          changes.append(kind < 80 ? .update(tag, Self.item(name, &random)) : .delete(tag))
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        counters = Array(
          (0..<SoakModel.counters).shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
      }
    }

    private static func item(_ name: String, _ random: inout SeededGenerator) -> SoakItem {
      let isLong = Int.random(in: 0..<40, using: &random) == 0
      let text = String(
        repeating: ["a", "ß", "語", "'\"\\$1"].randomElement(using: &random) ?? "", count: isLong ? 9_000 : 5)
      let group = Int.random(in: -1..<groups, using: &random)
      let count = Int.random(in: 0...marks, using: &random)
      return SoakItem(
        number: Int.random(in: 0..<1_000_000, using: &random), text: text, group: group < 0 ? nil : "\(name)/g\(group)",
        marks: Set((0..<marks).shuffled(using: &random).prefix(count).map { "\(name)/m\($0)" }))
    }

    /// The items after the save.
    func applied(to items: [String: SoakItem]) -> [String: SoakItem] {
      var items = items
      for change in changes {
        switch change {
        case .insert(let tag, let item), .update(let tag, let item): items[tag] = item
        case .delete(let tag): items[tag] = nil
        }
      }
      return items
    }

    /// Makes the changes in a context; its next save writes them.
    func make(in context: NSManagedObjectContext, find: (String, String) throws -> NSManagedObject) throws {
      for change in changes {
        switch change {
        case .insert(let tag, let item):
          try Self.set(item, of: context.make("Item", ["tag": tag]), find)
        case .update(let tag, let item): try Self.set(item, of: find("Item", tag), find)
        case .delete(let tag): context.delete(try find("Item", tag))
        }
      }
      for number in counters { try Self.count(find("Counter", "counter\(number)")) }
    }

    private static func set(
      _ item: SoakItem, of object: NSManagedObject, _ find: (String, String) throws -> NSManagedObject
    ) throws {
      object.setValue(item.number, forKey: "number")
      object.setValue(item.text, forKey: "text")
      object.setValue(try item.group.map { try find("Group", $0) }, forKey: "group")
      object.setValue(NSSet(array: try item.marks.map { try find("Mark", $0) }), forKey: "marks")
    }

    private static func count(_ counter: NSManagedObject) throws {
      counter.setValue((counter.value(forKey: "number") as? Int ?? 0) + 1, forKey: "number")
    }
  }
#endif
