import CoreData
import Testing

/// Who hears of it when something is undone.
@Suite struct UndoToldTests {
  @Test(arguments: TestStore.all) func objectsAreAwoken(_ store: TestStore) throws {
    try store.coordinator(UndoWatched.model()).undoing { context, _ throws in
      let object = context.event { UndoWatched(context: context) }
      #expect(object.take() == ["insert"])
      context.event { object.setValue("a", forKey: "name") }
      context.event { object.setValue("b", forKey: "name") }
      #expect(object.take() == [])
      context.undo()
      #expect(object.take() == ["8"] && object.text("shout") == "A" && object.text("name") == "a")
      context.redo()
      #expect(object.take() == ["8"] && object.text("shout") == "B")
      try context.save()
      context.event { context.delete(object) }
      context.undo()
      #expect(object.take() == ["4"] && object.text("shout") == "B" && !context.hasChanges)
      for _ in 0..<3 { context.undo() }
      #expect(object.isDeleted && object.take() == ["8", "8", "2"])
      try context.save()
      // Not inserted for the first time.
      context.redo()
      #expect(object.isInserted && object.take() == ["4"])
      let other = context.event { context.make("Other") }
      context.event { other.setValue(object, forKey: "owner") }
      context.undo()
      #expect(object.take() == ["8"])
    }
  }

  @Test(arguments: TestStore.all) func contextsTellWhatHasChanged(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      nonisolated(unsafe) var told: [String] = []
      let token = NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
      ) { note in
        let parts = [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].compactMap { key -> String? in
          guard let objects = note.userInfo?[key] as? Set<NSManagedObject> else { return nil }
          return "\(key) \(objects.map { $0.text("name") ?? "" }.sorted().joined(separator: " "))"
        }
        told.append(parts.joined(separator: ", "))
      }
      defer { NotificationCenter.default.removeObserver(token) }
      func take() -> [String] {
        defer { told = [] }
        return told
      }
      let node = context.event { context.make("Node", ["name": "a"]) }
      let child = context.event { context.make("Node", ["name": "b"]) }
      context.event { child.setValue(node, forKey: "parent") }
      context.event { context.delete(child) }
      #expect(take() == ["inserted a", "inserted b", "updated a b", "updated a, deleted b"])
      for _ in 0..<4 { context.undo() }
      #expect(take() == ["inserted b, updated a", "updated a b", "deleted b", "deleted a"])
      for _ in 0..<4 { context.redo() }
      #expect(take() == ["inserted a", "inserted b", "updated a b", "updated a, deleted b"])
      try context.save()
      #expect(take() == [])
      context.undo()
      #expect(take() == ["inserted b, updated a"])
      context.undo()
      context.undo()
      context.undo()
      #expect(take() == ["updated a b", "deleted b", "deleted a"])
    }
  }

  @Test(arguments: TestStore.all) func observersOfPropertiesAreTold(_ store: TestStore) throws {
    final class Observer: NSObject, NSKeyValueObserving {
      var told: [String] = []
      func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
      ) { told.append(keyPath ?? "") }
    }
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let node = context.make("Node", ["name": "a"]), child = context.make("Node", ["name": "b"])
      try context.save()
      context.event {
        node.setValue("c", forKey: "name")
        child.setValue(node, forKey: "parent")
        node.mutableOrderedSetValue(forKey: "items").add(child)
      }
      let observer = Observer()
      for key in ["name", "children", "items", "number"] {
        node.addObserver(observer, forKeyPath: key, options: [], context: nil)
      }
      context.undo()
      #expect(Set(observer.told) == ["name", "children", "items"])
      context.redo()
      #expect(observer.told.filter { $0 == "name" }.count == 2)
      for key in ["name", "children", "items", "number"] { node.removeObserver(observer, forKeyPath: key) }
    }
  }
}

/// Notes what it is called with.
final class UndoWatched: NSManagedObject {
  var calls: [String] = []

  override func awakeFromInsert() { calls.append("insert") }

  override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
    calls.append("\(flags.rawValue)")
    // No change: what follows from the values is brought up to date.
    setValue((text("name") ?? "").uppercased(), forKey: "shout")
  }

  func take() -> [String] {
    defer { calls = [] }
    return calls
  }

  static func model() -> NSManagedObjectModel {
    let shout = TestModel.attribute("shout", .stringAttributeType)
    shout.isTransient = true
    let entity = TestModel.entity("Watched", [TestModel.attribute("name", .stringAttributeType), shout])
    entity.managedObjectClassName = NSStringFromClass(UndoWatched.self)
    let other = TestModel.entity("Other", [TestModel.attribute("name", .stringAttributeType)])
    TestModel.relate(entity, "others", max: 0, other, "owner", max: 1)
    let model = NSManagedObjectModel()
    model.entities = [entity, other]
    return model
  }
}
