import CocoaFoundation
import Foundation
import Testing

import class CocoaFoundation.NSExpression

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
    #expect(set.value(forKeyPath: "@sum.n") as? Int == 5)
    nodes.setValue(7, forKey: "n")
    #expect(nodes.value(forKeyPath: "@sum.n") as? Int == 21)
    #expect((["a": ["b": 5]] as NSDictionary).value(forKeyPath: "a.b") as? Int == 5)
    let numbers: [Any] = [1, 2, 3, 4]
    #expect((numbers as NSArray).value(forKeyPath: "@sum.doubleValue") as? Int == 10)
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
