import CocoaFoundation
import Foundation
import Testing

/// Foundation's collections have these methods; they must work with the predicates and descriptors of this library.
@Suite("Collections are filtered and sorted")
struct CollectionTests {
  private final class Item: NSObject, NSKeyValueCoding {
    let name: String
    let rank: Int?
    var reads = 0

    init(_ name: String, _ rank: Int?) {
      self.name = name
      self.rank = rank
    }

    func value(forKey key: String) -> Any? {
      reads += 1
      return key == "name" ? name : rank
    }

    func setValue(_ value: Any?, forKey key: String) {}
  }

  private let items = [Item("b", 2), Item("a", nil), Item("c", 1), Item("d", 2)]
  private let predicate = NSPredicate(format: "rank == %d OR name IN %@", 1, ["a"])
  private let byRank = [
    NSSortDescriptor(key: "rank", ascending: true), NSSortDescriptor(key: "name", ascending: false),
  ]
  private let ranked = ["a", "c", "d", "b"]

  private func names(_ objects: Any) -> [String] {
    switch objects {
    case let objects as NSArray: objects.compactMap { ($0 as? Item)?.name }
    case let objects as NSOrderedSet: objects.array.compactMap { ($0 as? Item)?.name }
    case let objects as NSSet: objects.allObjects.compactMap { ($0 as? Item)?.name }.sorted()
    case let objects as Set<AnyHashable>: objects.compactMap { ($0.base as? Item)?.name }.sorted()
    default: []
    }
  }

  @Test("By predicates")
  func filtering() {
    #expect(names((items as NSArray).filtered(using: predicate)) == ["a", "c"])
    let array = NSMutableArray(array: items)
    array.filter(using: predicate)
    #expect(names(array) == ["a", "c"])
    #expect(names(NSSet(array: items).filtered(using: predicate)) == ["a", "c"])
    let set = NSMutableSet(array: items)
    set.filter(using: NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
    #expect(names(set) == ["b", "d"])
    #expect(names(NSOrderedSet(array: items).filtered(using: predicate)) == ["a", "c"])
    let ordered = NSMutableOrderedSet(array: items)
    ordered.filter(using: predicate)
    #expect(names(ordered) == ["a", "c"])
    #expect(
      names((items as NSArray).filtered(using: NSPredicate { item, _ in (item as? Item)?.rank == 2 })) == ["b", "d"])
  }

  @Test("By sort descriptors")
  func sorting() {
    #expect(names((items as NSArray).sortedArray(using: byRank)) == ranked)
    let array = NSMutableArray(array: items)
    array.sort(using: byRank)
    #expect(names(array) == ranked)
    #expect(names(NSSet(array: items).sortedArray(using: byRank)) == ranked)
    #expect(names(NSOrderedSet(array: items).sortedArray(using: byRank)) == ranked)
    let ordered = NSMutableOrderedSet(array: items)
    ordered.sort(using: byRank)
    #expect(names(ordered) == ranked)
    #expect((items as NSArray).sortedArray(using: []).count == 4)
  }

  @Test("Equal objects keep their order in every collection")
  func stability() {
    let many = (0..<2_000).map { Item("\($0)", $0 % 7) }
    let expected = (0..<7).flatMap { rank in many.filter { $0.rank == rank } }.map(\.name)
    let byRank = [NSSortDescriptor(key: "rank", ascending: true)]
    #expect(many.sorted(by: byRank).map(\.name) == expected)
    #expect(names((many as NSArray).sortedArray(using: byRank)) == expected)
    #expect(names(NSOrderedSet(array: many).sortedArray(using: byRank)) == expected)
    let array = NSMutableArray(array: many)
    array.sort(using: byRank)
    #expect(names(array) == expected)
    let ordered = NSMutableOrderedSet(array: many)
    ordered.sort(using: byRank)
    #expect(names(ordered) == expected)
  }

  @Test("The library's own sort reads each key once")
  func reads() {
    let many = (0..<500).map { Item("\($0)", $0 % 7) }
    _ = many.sorted(by: byRank)
    #expect(many.allSatisfy { $0.reads == 2 })
  }

  /// A property called count is a common one.
  @Test func aKeyGoesToEachElementOfAnArray() {
    let children = [["count": 3], ["count": 1]]
    #expect((children as NSArray).value(forKey: "count") as? [Int] == [3, 1])
    let family: [String: Any] = ["children": children]
    #expect(NSPredicate(format: "ANY children.count == 3").evaluate(with: family))
    #expect(!NSPredicate(format: "ALL children.count == 3").evaluate(with: family))
    #expect(NSPredicate(format: "children.@count == 2 AND children.@sum.count == 4").evaluate(with: family))
    #expect((["a", "b"] as NSArray).value(forKey: "count") as? Int == 2)
  }

  @Test func setsOfBoxesHaveWhatIsInTheBoxes() {
    let item = items[0]
    let owner = NSMutableDictionary(object: NSSet(object: item), forKey: "items" as NSString)
    #expect(NSPredicate(format: "%@ IN items", item).evaluate(with: owner))
    #expect(NSPredicate(format: "%@ IN items", "b").evaluate(with: ["items": Set<AnyHashable>(["a", "b"])]))
  }
}
