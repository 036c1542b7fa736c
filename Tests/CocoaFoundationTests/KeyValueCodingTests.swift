import CocoaFoundation
import Foundation
import Testing

private final class Node: NSObject, NSKeyValueCoding {
  var values: [String: Any] = [:]

  init(_ values: [String: Any] = [:]) {
    self.values = values
  }

  func value(forKey key: String) -> Any? { values[key] }

  func setValue(_ value: Any?, forKey key: String) { values[key] = value }
}

private class Animal {
  let legs = 4
}

private final class Dog: Animal {
  let name: String? = "Rex"
  let owner = Owner()
  struct Owner { var age: Int16 = 33 }
}

@Suite("Key-value coding")
struct KeyValueCodingTests {
  @Test("A path leads through objects, dictionaries and Swift values")
  func paths() {
    let node = Node(["child": Node(["name": "x", "dictionary": ["a": ["b": 1]]]), "dog": Dog()])
    #expect(node.value(forKeyPath: "child.name") as? String == "x")
    #expect(node.value(forKeyPath: "child.dictionary.a.b") as? NSNumber == 1)
    #expect(node.value(forKeyPath: "dog.name") as? String == "Rex")
    #expect(node.value(forKeyPath: "dog.owner.age") as? NSNumber == 33)
    #expect(node.value(forKeyPath: "dog.legs") as? NSNumber == 4)
    #expect(node.value(forKeyPath: "nothing.at.all") == nil)
    node.setValue("y", forKeyPath: "child.name")
    #expect(node.value(forKeyPath: "child.name") as? String == "y")
    node.setValuesForKeys(["a": 1, "b": NSNull()])
    #expect(node.dictionaryWithValues(forKeys: ["a", "b"]) as NSDictionary == ["a": 1, "b": NSNull()])
  }

  @Test("Collections give the values of their elements, and operators work on all of them")
  func operators() {
    let nodes = [Node(["n": 1, "tags": ["a", "b"]]), Node(["n": 2, "tags": ["b"]]), Node(["n": 2])] as NSArray
    #expect(nodes.value(forKey: "n") as? [Int] == [1, 2, 2])
    #expect((nodes.value(forKey: "tags") as? [Any])?.last is NSNull)
    #expect(nodes.value(forKeyPath: "@count") as? Int == 3)
    #expect(nodes.value(forKeyPath: "@sum.n") as? Int == 5)
    #expect(nodes.value(forKeyPath: "@max.n") as? Int == 2)
    #expect(nodes.value(forKeyPath: "n.@min.self") as? Int == 1)
    #expect(nodes.value(forKeyPath: "@avg.n") as? Double == 5.0 / 3)
    #expect(nodes.value(forKeyPath: "@unionOfObjects.n") as? [Int] == [1, 2, 2])
    #expect(nodes.value(forKeyPath: "@distinctUnionOfObjects.n") as? [Int] == [1, 2])
    #expect(nodes.value(forKeyPath: "@unionOfArrays.tags") as? [String] == ["a", "b", "b"])
    #expect(nodes.value(forKeyPath: "@distinctUnionOfArrays.tags") as? [String] == ["a", "b"])
    #expect(NSArray().value(forKeyPath: "@avg.n") as? Int == 0)
    #expect(NSArray().value(forKeyPath: "@max.n") == nil)
    let set = NSSet(array: nodes as! [Any])
    #expect((set.value(forKey: "n") as? NSSet)?.count == 2)
    #expect(set.value(forKeyPath: "@distinctUnionOfObjects.n") as? NSSet == NSSet(array: [1, 2]))
    let ordered = NSOrderedSet(array: nodes as! [Any])
    #expect(ordered.value(forKeyPath: "@distinctUnionOfObjects.n") as? NSSet == NSSet(array: [1, 2]))
    #expect(Node(["os": ordered]).value(forKeyPath: "os.@distinctUnionOfObjects.n") as? NSSet == NSSet(array: [1, 2]))
    #expect(set.value(forKeyPath: "@sum.n") as? Int == 5)
    nodes.setValue(7, forKey: "n")
    #expect(nodes.value(forKeyPath: "@sum.n") as? Int == 21)
    #expect((["a": ["b": 5]] as NSDictionary).value(forKeyPath: "a.b") as? Int == 5)
    let numbers: [Any] = [1, 2, 3, 4]
    #expect((numbers as NSArray).value(forKeyPath: "@sum.doubleValue") as? Int == 10)
  }

  @Test("Decimal numbers and equivalent strings are gathered from a set one by one")
  func gathering() {
    let nodes = NSSet(array: [
      Node(["price": NSDecimalNumber(string: "2.5"), "name": "caf\u{E9}"]),
      Node(["price": NSDecimalNumber(string: "2.5"), "name": "cafe\u{301}", "boss": Node(["nodes": NSSet()])]),
      Node(["price": NSDecimalNumber(string: "-1")]),
    ])
    let owner = Node(["nodes": nodes])
    for format in [
      "ANY nodes.price == 2.5", "NONE nodes.price > 3", "nodes.price.@count == 2", "nodes.@count == 3",
      "sum(nodes.price) == 1.5", "nodes.@sum.price == 4", "count(nodes.@distinctUnionOfObjects.price) == 2",
      "nodes.name.@count == 2", "ANY nodes.name == 'caf\u{E9}'", "ANY nodes.name == 'cafe\u{301}'",
      "NOT ANY nodes.price == nil", "NOT ANY nodes.name == nil", "NOT ANY nodes.boss.nodes.price == 1",
      "NOT ANY SUBQUERY(nodes, $n, $n.price > 0).boss == nil", "(nodes.price UNION {2.5, 7}).@count == 3",
      "TRUEPREDICATE OR CAST(nodes.price, 'NSSet') == nil", "nodes.price CONTAINS 2.5", "-1 IN nodes.price",
    ] {
      #expect(NSPredicate(format: format).evaluate(with: owner), "\(format)")
    }
    #expect((owner.value(forKeyPath: "nodes.price") as? [NSDecimalNumber])?.count == 2)
    #expect((nodes.value(forKey: "price") as? [NSDecimalNumber])?.count == 2)
    #expect(owner.value(forKeyPath: "nodes.boss.nodes") is NSSet)
    #expect(NSExpression(format: "nodes.boss").expressionValue(with: owner, context: nil) is NSSet)
    let ordered = NSOrderedSet(array: nodes.allObjects)
    #expect((ordered.value(forKey: "price") as? [NSDecimalNumber])?.count == 2)
    #expect((ordered.value(forKey: "boss") as? NSOrderedSet)?.count == 2)
  }

  @Test("Within a subquery, plain keys and SELF belong to the object outside")
  func subqueryScope() {
    let inner = NSSet(array: [Node(["age": 1, "name": "a"]), Node(["age": 5, "name": "b"])])
    let owner = Node(["age": 3, "name": "b", "nodes": inner])
    for format in [
      "SUBQUERY(nodes, $n, $n.age > age).@count == 1", "SUBQUERY(nodes, $n, $n.name == SELF.name).@count == 1",
      "SUBQUERY(nodes, $n, age == 3).@count == 2", "SUBQUERY(nodes, $n, $n == SELF).@count == 0",
      "ANY SUBQUERY(nodes, $n, $n.age > age).name == 'b'",
      "SUBQUERY(nodes, $n, SUBQUERY(nodes, $m, $m.age > $n.age AND age == 3).@count == 1).@count == 1",
    ] {
      #expect(NSPredicate(format: format).evaluate(with: owner), "\(format)")
    }
    let found = NSExpression(format: "SUBQUERY(nodes, $n, $n.age > age)").expressionValue(with: owner, context: nil)
    #expect((found as? [Node])?.map { $0.values["age"] as? Int } == [5])
  }

  @Test("An unknown key stops the program with Apple's message")
  func unknownKey() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = NSPredicate(format: "colour == 1").evaluate(with: Dog())
    }
    let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(message.contains("NSUnknownKeyException"))
    #expect(message.contains("this class is not key value coding-compliant for the key colour."))
  }
}
