import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Keeps what it is told of, as text.
private final class Recorder: NSObject, NSKeyValueObserving {
  private var told: [String] = []

  func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {
    var text = keyPath ?? ""
    let kind = (change?[.kindKey] as? UInt).flatMap(NSKeyValueChange.init(rawValue:))
    if kind != .setting { text += " \(kind.map { "\($0)" } ?? "?")" }
    if let old = change?[.oldKey] { text += " old \(Self.text(old))" }
    if let new = change?[.newKey] { text += " new \(Self.text(new))" }
    told.append(text)
  }

  func take() -> [String] {
    defer { told = [] }
    return told
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case is NSNull: "nil"
    case let object as NSManagedObject: object.text("name") ?? object.layout.name
    case let set as NSSet: "{" + set.allObjects.map { text($0) }.sorted().joined(separator: ", ") + "}"
    default: "\(value)"
    }
  }
}

@Suite struct ObservingTests {
  private let options: NSKeyValueObservingOptions = [.old, .new]

  @Test(arguments: TestStore.all) func attributesTellByKeyAndByPath(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "Ann"]), boss = context.make("Person", ["name": "Bob"])
      let recorder = Recorder()
      person.addObserver(recorder, forKeyPath: "name", options: options, context: nil)
      person.addObserver(recorder, forKeyPath: "boss.name", options: options, context: nil)
      person.setValue("Eve", forKey: "name")
      #expect(recorder.take() == ["name old Ann new Eve"])
      person.setValue(boss, forKey: "boss")
      boss.setValue("Cy", forKey: "name")
      #expect(recorder.take() == ["boss.name old nil new Bob", "boss.name old Bob new Cy"])
      person.setPrimitiveValue("silent", forKey: "name")
      person.setValue(9, forKey: "age")
      #expect(recorder.take() == [])
      try context.save()
      #expect(recorder.take() == [])
      person.willChangeValue(forKey: "name")
      person.setPrimitiveValue("told", forKey: "name")
      person.didChangeValue(forKey: "name")
      #expect(recorder.take() == ["name old silent new told"] && person.hasChanges)
      person.removeObserver(recorder, forKeyPath: "name")
      person.removeObserver(recorder, forKeyPath: "boss.name")
      boss.setValue("Di", forKey: "name")
      #expect(recorder.take() == [] && !person.state.contains(.observed) && !boss.state.contains(.observed))
    }
  }

  @Test(arguments: TestStore.all) func bothEndsOfARelationshipTell(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let ann = context.make("Person", ["name": "Ann"]), bob = context.make("Person", ["name": "Bob"])
      let cy = context.make("Person", ["name": "Cy"]), recorder = Recorder()
      for person in [ann, bob] {
        person.addObserver(recorder, forKeyPath: "reports", options: options, context: nil)
      }
      cy.addObserver(recorder, forKeyPath: "boss", options: options, context: nil)
      cy.setValue(ann, forKey: "boss")
      #expect(recorder.take() == ["reports insertion new {Cy}", "boss old nil new Ann"])
      cy.setValue(ann, forKey: "boss")
      #expect(recorder.take() == ["boss old Ann new Ann"])
      bob.mutableSetValue(forKey: "reports").add(cy)
      #expect(
        recorder.take() == ["reports removal old {Cy}", "boss old Ann new Bob", "reports insertion new {Cy}"])
      ann.setValue(NSSet(object: cy), forKey: "reports")
      #expect(
        recorder.take() == ["reports removal old {Cy}", "boss old Bob new Ann", "reports old {} new {Cy}"])
      cy.mutableSetValue(forKeyPath: "boss.reports").remove(cy)
      #expect(recorder.take() == ["boss old Ann new nil", "reports removal old {Cy}"])
      bob.set([cy] as NSArray, forKey: "reports")
      try context.save()
      _ = recorder.take()
      context.delete(bob)
      context.processPendingChanges()
      #expect(recorder.take() == ["boss old Bob new nil"])
    }
  }

  @Test(arguments: TestStore.all) func refreshAndRollbackTell(_ store: TestStore) throws {
    try Society.coordinator(store).inContext { context in
      let person = context.make("Person", ["name": "Ann"]), recorder = Recorder()
      try context.save()
      person.addObserver(recorder, forKeyPath: "name", options: [.new], context: nil)
      person.setValue("x", forKey: "name")
      context.rollback()
      #expect(recorder.take() == ["name new x", "name new Ann"])
      person.setValue("y", forKey: "name")
      context.refresh(person, mergeChanges: false)
      #expect(recorder.take() == ["name new y", "name new Ann"])
      context.refreshAllObjects()
      #expect(recorder.take() == ["name new Ann"])
    }
  }

  @Test func anOrderedViewOfAnUnorderedRelationshipStopsTheProgram() async {
    await #expect(processExitsWith: .failure) {
      try Society.coordinator().inContext { context in
        let person = context.make("Person")
        person.mutableOrderedSetValue(forKey: "friends").add(context.make("Person"))
      }
    }
  }
}
