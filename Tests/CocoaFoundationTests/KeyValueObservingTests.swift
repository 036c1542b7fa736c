import CocoaFoundation
import Foundation
import Testing

/// Keeps the changes it is told of.
final class ChangeRecorder: NSObject, NSKeyValueObserving {
  var changes:
    [(keyPath: String?, object: Any?, change: [NSKeyValueChangeKey: Any], context: UnsafeMutableRawPointer?)] =
      []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    changes.append((keyPath, object, change ?? [:], context))
  }

  /// What was told since the last call, as text.
  func take() -> [String] {
    defer { changes = [] }
    return changes.map { entry in
      var text = entry.keyPath ?? ""
      if entry.change[.notificationIsPriorKey] as? Bool == true { text += " prior" }
      let kind = (entry.change[.kindKey] as? UInt).flatMap(NSKeyValueChange.init(rawValue:))
      if kind != .setting { text += " \(kind.map { "\($0)" } ?? "?")" }
      if let old = entry.change[.oldKey] { text += " old \(Self.text(old))" }
      if let new = entry.change[.newKey] { text += " new \(Self.text(new))" }
      if let indexes = entry.change[.indexesKey] as? IndexSet { text += " at \(indexes.map { $0 })" }
      return text
    }
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case is NSNull: "nil"
    case let array as NSArray: "[" + array.map { text($0) }.joined(separator: ", ") + "]"
    case let set as NSSet: "{" + set.allObjects.map { text($0) }.sorted().joined(separator: ", ") + "}"
    default: "\(value)"
    }
  }
}

class Person: NSObject, NSKeyValueCoding {
  var first = "Ann" {
    willSet { willChangeValue(for: \.first) }
    didSet { didChangeValue(for: \.first) }
  }
  var last: String? = "Lee"
  var full: String { first + " " + (last ?? "") }
  var boss: Person?
  var nickname = ""
  var tags: [String] = []
  var codes: Set<Int> = []
  var order = NSOrderedSet()
  var greeting: String { "Hi, " + (boss?.full ?? "nobody") }

  class var keyValueProperties: [OCDKeyValueProperty] {
    [
      OCDKeyValueProperty("first", \Person.first), OCDKeyValueProperty("last", \Person.last),
      OCDKeyValueProperty("full", \Person.full), OCDKeyValueProperty("boss", \Person.boss),
      OCDKeyValueProperty("nickname", \Person.nickname), OCDKeyValueProperty("tags", \Person.tags),
      OCDKeyValueProperty("codes", \Person.codes), OCDKeyValueProperty("order", \Person.order),
      OCDKeyValueProperty("greeting", \Person.greeting),
    ]
  }

  class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    switch key {
    case "full": ["first", "last"]
    case "greeting": ["boss.full"]
    default: []
    }
  }

  class func automaticallyNotifiesObservers(forKey key: String) -> Bool { key != "nickname" }
}

@Suite("Key-value observing")
struct KeyValueObservingTests {
  @Test("Each option adds what it says, and the context is handed on")
  func options() {
    let person = Person(), recorder = ChangeRecorder()
    var context = 0
    withUnsafeMutablePointer(to: &context) { pointer in
      person.addObserver(recorder, forKeyPath: "last", options: [.initial, .new, .old, .prior], context: pointer)
      #expect(recorder.changes.first?.context == UnsafeMutableRawPointer(pointer))
      #expect(recorder.changes.first?.object as? Person === person)
      #expect(recorder.take() == ["last new Lee"])
      person.setValue("Ray", forKey: "last")
      #expect(recorder.take() == ["last prior old Lee", "last old Lee new Ray"])
      person.setValue(nil, forKey: "last")
      #expect(recorder.take() == ["last prior old Ray", "last old Ray new nil"])
      person.removeObserver(recorder, forKeyPath: "last", context: pointer)
    }
    person.setValue("x", forKey: "last")
    #expect(recorder.take() == [])
    person.addObserver(recorder, forKeyPath: "last", context: nil)
    person.setValue("y", forKey: "last")
    #expect(recorder.changes.first?.change.count == 1)
    #expect(NSKeyValueChangeKey.notificationIsPriorKey.rawValue == "notificationIsPrior")
  }

  @Test("A property tells of its assignments; setting it by its key tells once, or not at all where the class says so")
  func assignments() {
    let person = Person(), recorder = ChangeRecorder()
    person.addObserver(recorder, forKeyPath: "first", options: [.old, .new], context: nil)
    person.addObserver(recorder, forKeyPath: "nickname", options: .new, context: nil)
    person.first = "Bob"
    #expect(recorder.take() == ["first old Ann new Bob"])
    (person as NSObject).setValue("Cy", forKeyPath: "first")
    #expect(recorder.take() == ["first old Bob new Cy"])
    person.setValue("B", forKey: "nickname")
    #expect(recorder.take() == [])
    person.willChangeValue(forKey: "nickname")
    person.willChangeValue(forKey: "first")
    person.nickname = "C"
    person.didChangeValue(forKey: "first")
    person.didChangeValue(forKey: "nickname")
    #expect(recorder.take() == ["first old Cy new Cy", "nickname new C"])
    person.didChangeValue(forKey: "first")
    #expect(recorder.take() == [])
  }

  @Test("What depends on a changed property has changed")
  func dependentKeys() {
    let person = Person(), boss = Person(), recorder = ChangeRecorder()
    person.addObserver(recorder, forKeyPath: "full", options: [.old, .new], context: nil)
    person.addObserver(recorder, forKeyPath: "greeting", options: .new, context: nil)
    person.first = "Bob"
    #expect(recorder.take() == ["full old Ann Lee new Bob Lee"])
    person.setValue(boss, forKey: "boss")
    #expect(recorder.take() == ["greeting new Hi, Ann Lee"])
    boss.setValue("Ray", forKey: "last")
    #expect(recorder.take() == ["greeting new Hi, Ann Ray"])
    person.setValue(nil, forKey: "boss")
    #expect(recorder.take() == ["greeting new Hi, nobody"])
    boss.first = "Zoe"
    #expect(recorder.take() == [])
  }

  @Test("A path is followed to the objects that are on it now")
  func paths() {
    let person = Person(), old = Person(), new = Person(), recorder = ChangeRecorder()
    new.first = "New"
    person.boss = old
    person.addObserver(recorder, forKeyPath: "boss.boss.first", options: [.old, .new], context: nil)
    person.addObserver(recorder, forKeyPath: "boss.full", options: .new, context: nil)
    old.setValue(new, forKey: "boss")
    #expect(recorder.take() == ["boss.boss.first old nil new New"])
    new.first = "Newer"
    old.first = "Old"
    #expect(recorder.take() == ["boss.boss.first old New new Newer", "boss.full new Old Lee"])
    person.setValue(new, forKey: "boss")
    #expect(recorder.take().sorted() == ["boss.boss.first old Newer new nil", "boss.full new Newer Lee"])
    old.first = "Nobody cares"
    #expect(recorder.take() == [])
    person.removeObserver(recorder, forKeyPath: "boss.full")
    person.removeObserver(recorder, forKeyPath: "boss.boss.first")
    new.first = "x"
    #expect(recorder.take() == [] && person.observationInfo == nil && new.observationInfo == nil)
  }

  @Test("Collections tell what comes and goes, and where")
  func collections() {
    let person = Person(), recorder = ChangeRecorder()
    for key in ["tags", "codes", "order"] {
      person.addObserver(recorder, forKeyPath: key, options: [.old, .new], context: nil)
    }
    let tags = person.mutableArrayValue(forKey: "tags")
    tags.addObjects(from: ["a", "b"])
    tags.insert("c", at: 1)
    tags.replaceObject(at: 0, with: "A")
    tags.remove("b")
    tags.setArray(["z"])
    #expect(
      recorder.take() == [
        "tags insertion new [a, b] at [0, 1]", "tags insertion new [c] at [1]",
        "tags replacement old [a] new [A] at [0]", "tags removal old [b] at [2]", "tags old [A, c] new [z]",
      ])
    let codes = person.mutableSetValue(forKey: "codes")
    codes.union([1, 2])
    codes.add(2)
    codes.remove(1)
    codes.setSet([2, 3])
    codes.intersect([3])
    #expect(
      recorder.take() == [
        "codes insertion new {1, 2}", "codes removal old {1}", "codes replacement old {} new {3}",
        "codes removal old {2}",
      ])
    person.mutableOrderedSetValue(forKey: "order").add("x")
    #expect(recorder.take() == ["order insertion new [x] at [0]"])
    person.willChange(.removal, valuesAt: [0], forKey: "tags")
    person.tags = []
    person.didChange(.removal, valuesAt: [0], forKey: "tags")
    person.willChangeValue(forKey: "codes", withSetMutation: .union, using: [3, 4])
    person.codes = [3, 4]
    person.didChangeValue(forKey: "codes", withSetMutation: .union, using: [3, 4])
    #expect(recorder.take() == ["tags removal old [z] at [0]", "codes insertion new {4}"])
  }
}
