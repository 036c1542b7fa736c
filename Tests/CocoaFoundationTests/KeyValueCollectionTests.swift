import CocoaFoundation
import Foundation
import Testing

private final class Basket: NSObject, NSKeyValueCoding {
  var items: [String] = ["a", "b"]
  var codes: Set<Int> = [1, 2]
  var order = NSOrderedSet(array: ["x", "y"])
  var mutable = NSMutableArray(array: [1])
  var optional: [String]?
  var inner: Basket?
  static let keyValueProperties = [
    OCDKeyValueProperty("items", \Basket.items), OCDKeyValueProperty("codes", \Basket.codes),
    OCDKeyValueProperty("order", \Basket.order), OCDKeyValueProperty("mutable", \Basket.mutable),
    OCDKeyValueProperty("optional", \Basket.optional), OCDKeyValueProperty("inner", \Basket.inner),
  ]
}

@Suite("Mutable collections that stand for properties")
struct KeyValueCollectionTests {
  @Test func arrays() {
    let basket = Basket()
    let items = (basket as NSObject).mutableArrayValue(forKey: "items")
    items.add("c")
    items.insert("0", at: 0)
    items.insert(["1", "2"], at: [1, 3])
    #expect(basket.items == ["0", "1", "a", "2", "b", "c"])
    basket.items = ["p", "q", "r", "p"]
    #expect(items.count == 4 && items[1] as? String == "q" && items.index(of: "r") == 2 && items.contains("p"))
    items.remove("p")
    items.addObjects(from: ["s", "t"])
    items.replaceObject(at: 0, with: "Q")
    items.exchangeObject(at: 0, withObjectAt: 3)
    items[1] = "R"
    #expect(basket.items == ["t", "R", "s", "Q"])
    items.removeLastObject()
    items.sort(using: [NSSortDescriptor(key: "self", ascending: false)])
    #expect(basket.items == ["t", "s", "R"])
    items.sort(comparator: { ($0 as! String).compare($1 as! String) })
    #expect(basket.items == ["R", "s", "t"] && items as? [String] == basket.items)
    items.removeObjects(in: NSRange(location: 0, length: 2))
    items.replaceObjects(in: NSRange(location: 0, length: 1), withObjectsFrom: ["m", "n"])
    #expect(items.map { $0 as! String } == ["m", "n"] && items.isEqual(to: ["m", "n"]))
    items.removeAllObjects()
    #expect(basket.items.isEmpty && items.lastObject == nil)
    items.setArray(["z"])
    #expect(basket.items == ["z"])
    basket.mutableArrayValue(forKey: "mutable").add(2)
    #expect(basket.mutable as? [Int] == [1, 2])
    basket.mutableArrayValue(forKey: "optional").add("first")
    #expect(basket.optional == ["first"])
  }

  @Test func sets() {
    let basket = Basket()
    let codes = (basket as NSObject).mutableSetValue(forKey: "codes")
    codes.add(3)
    codes.add(3)
    codes.union([4])
    codes.remove(1)
    #expect(basket.codes == [2, 3, 4] && codes.count == 3 && codes.contains(2) && codes.member(9) == nil)
    codes.minus([4, 5])
    codes.intersect([3, 7])
    #expect(basket.codes == [3] && codes.allObjects as? [Int] == [3] && codes.anyObject() as? Int == 3)
    codes.setSet([8, 9])
    #expect(Set(codes.map { $0 as! Int }) == [8, 9] && codes.copy() as? Set<Int> == [8, 9])
    codes.removeAllObjects()
    #expect(basket.codes.isEmpty)
  }

  @Test func orderedSets() {
    let basket = Basket()
    let order = (basket as NSObject).mutableOrderedSetValue(forKey: "order")
    order.add("z")
    order.add("x")
    order.insert("w", at: 0)
    #expect(basket.order.array as? [String] == ["w", "x", "y", "z"])
    order.remove("x")
    order.replaceObject(at: 0, with: "v")
    order.moveObjects(at: [0], to: 2)
    #expect(basket.order.array as? [String] == ["y", "z", "v"])
    #expect(order.array as? [String] == ["y", "z", "v"] && order.map { $0 as! String } == ["y", "z", "v"])
    #expect(order.count == 3 && order[1] as? String == "z" && order.contains("v") && order.index(of: "v") == 2)
    order.unionSet(["y", "u"])
    order.minusSet(["z"])
    order.exchangeObject(at: 0, withObjectAt: 1)
    #expect(basket.order.array as? [String] == ["v", "y", "u"])
    order.sort(comparator: { ($0 as! String).compare($1 as! String) })
    #expect(basket.order.array as? [String] == ["u", "v", "y"])
    order.sort(using: [NSSortDescriptor(key: "self", ascending: false)])
    #expect(basket.order.array as? [String] == ["y", "v", "u"])
    order.filter(using: NSPredicate(format: "SELF != 'v'"))
    #expect(basket.order.array as? [String] == ["y", "u"])
    order.removeAllObjects()
    #expect(basket.order.count == 0 && order.set.isEmpty)
  }

  @Test func paths() {
    let basket = Basket()
    basket.inner = Basket()
    basket.mutableArrayValue(forKeyPath: "inner.items").add("c")
    basket.mutableSetValue(forKeyPath: "inner.codes").add(5)
    basket.mutableOrderedSetValue(forKeyPath: "inner.order").add("z")
    #expect(
      basket.inner?.items == ["a", "b", "c"] && basket.inner?.codes == [1, 2, 5] && basket.inner?.order.count == 3)
    let dictionary: NSMutableDictionary = ["list": [1]]
    dictionary.mutableArrayValue(forKey: "list").add(2)
    #expect(dictionary["list"] as? [Int] == [1, 2])
  }

  @Test("Another kind of collection, and an index out of bounds, stop the program")
  func mistakes() async {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Basket().mutableOrderedSetValue(forKey: "codes").add(1)
    }
    #expect(said(result, "is not an ordered set"))
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      Basket().mutableArrayValue(forKey: "items").removeObject(at: 2)
    }
    #expect(said(result, "index 2 beyond bounds"))
  }
}
