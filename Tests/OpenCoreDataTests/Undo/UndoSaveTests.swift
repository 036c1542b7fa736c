import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Undo across saves: the context becomes dirty, and the next save takes back what an earlier one has written.
@Suite struct UndoSaveTests {
  @Test(arguments: TestStore.all) func anUpdateThatWasSaved(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      node.setValue("B", forKey: "name")
      try context.save()
      context.undo()
      #expect(node.text("name") == "A" && node.isUpdated && node.changedValues() as NSDictionary == ["name": "A"])
      #expect(node.committedValues(forKeys: ["name"]) as NSDictionary == ["name": "B"])
      try context.save()
      try coordinator.inContext { other throws in #expect(try other.names("Node") == ["A"]) }
      context.redo()
      try context.save()
      try coordinator.inContext { other throws in #expect(try other.names("Node") == ["B"]) }
    }
  }

  @Test(arguments: TestStore.all)
  func anInsertionThatWasSaved(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      let id = node.objectID
      context.undo()
      #expect(node.isDeleted && context.deletedObjects == [node])
      #expect(try context.all("Node").isEmpty)
      try context.save()
      try coordinator.inContext { other throws in #expect(try other.names("Node") == []) }
      #expect(node.managedObjectContext == nil)
      context.redo()
      #expect(node.isInserted && node.objectID == id && node.text("name") == "A")
      try context.save()
      #expect(node.objectID == id && !node.hasChanges)
      try coordinator.inContext { other throws in #expect(try other.existingObject(with: id).text("name") == "A") }
    }
  }

  @Test(arguments: TestStore.all)
  func aDeletionThatWasSavedKeepsTheObjectAndItsID(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, _ throws in
      let node = context.make("Node", ["name": "A", "number": 5, "data": Data([1, 2])])
      try context.save()
      let id = node.objectID
      context.delete(node)
      try context.save()
      #expect(node.managedObjectContext == nil)
      context.undo()
      #expect(node.managedObjectContext === context && node.objectID == id && !node.objectID.isTemporaryID)
      #expect(node.isInserted && node.text("name") == "A" && node.committedValues(forKeys: nil).isEmpty)
      try context.save()
      #expect(node.objectID == id && context.registeredObject(for: id) === node)
      try coordinator.inContext { other throws in
        let found = try other.existingObject(with: id)
        #expect(found.text("name") == "A" && found.value(forKey: "data") as? Data == Data([1, 2]))
      }
      context.undo()
      #expect(node.isDeleted)
      try context.save()
      context.redo()
      #expect(node.isInserted && node.objectID == id)
      try context.save()
      try coordinator.inContext { other throws in #expect(try other.names("Node") == ["A"]) }
    }
  }

  @Test func aFaultThatIsDeletedIsReadFirst() throws {
    let coordinator = try UndoGraph.coordinator()
    try coordinator.inContext { context throws in
      for number in 0..<20 { _ = context.make("Node", ["name": "n\(number)"]) }
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.undoing { context, _ throws in
      let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Node")
      ids.resultType = .managedObjectIDResultType
      let nodes = try context.fetch(ids).map(context.object(with:))
      let statements = StatementLog.collect(thisThread: true) {
        for node in nodes { context.delete(node) }
        context.processPendingChanges()
      }.statements
      // They are read together, not one by one.
      #expect(statements.count { $0.hasPrefix("SELECT") } < 15)
      try context.save()
      context.undo()
      #expect(Set(nodes.map { $0.text("name") }).count == 20)
      try context.save()
      #expect(try context.names("Node").count == 20)
    }
  }

  @Test(arguments: TestStore.all) func aRowThatCameBackIsNotTakenForTheOneThatWent(_ store: TestStore) throws {
    let url = try store.place()
    let coordinator = try UndoGraph.coordinator(store, url: url)
    let other = TestModel.context(coordinator)
    try coordinator.undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      let late = try other.performAndWait { () -> NSManagedObject in
        let late = try other.existingObject(with: node.objectID)
        #expect(late.text("name") == "A")
        return late
      }
      context.delete(node)
      try context.save()
      context.undo()
      node.setValue("B", forKey: "name")
      try context.save()
      other.performAndWait {
        late.setValue("C", forKey: "name")
        #expect {
          try other.save()
        } throws: {
          ($0 as NSError).code == NSManagedObjectMergeError
        }
        other.rollback()
      }
      if store.type == NSSQLiteStoreType, let url {
        #expect(
          try PlainDatabase(url).rows("SELECT ZNAME, Z_OPT FROM ZNODE") == [[.text(Data("B".utf8)), .integer(2)]])
      }
    }
  }

  @Test(arguments: TestStore.all) func theWholeSaveIsOneAction(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Stamped.model())
    try coordinator.undoing { context, manager throws in
      let object = Stamped(context: context)
      object.setValue("A", forKey: "name")
      try context.save()
      #expect(object.number("stamp") == 1)
      object.setValue("B", forKey: "name")
      try context.save()
      #expect(object.number("stamp") == 2 && manager.undoCount == 2)
      // What willSave has changed goes with what was saved.
      context.undo()
      #expect(object.text("name") == "A" && object.number("stamp") == 1)
      context.redo()
      #expect(object.text("name") == "B" && object.number("stamp") == 2)
      context.undo()
      context.undo()
      #expect(try context.all("Stamped").isEmpty)
    }
  }

  @Test(arguments: TestStore.all) func whatDidSaveChangesIsAnActionOfItsOwn(_ store: TestStore) throws {
    let coordinator = try store.coordinator(Stamped.model())
    try coordinator.undoing { context, manager throws in
      let object = Stamped(context: context)
      object.setValue("A", forKey: "name")
      object.noteAfterSave = "saved"
      try context.save()
      #expect(object.text("name") == "saved" && object.hasChanges)
      context.undo()
      #expect(object.text("name") == "A" && !object.isDeleted)
      context.undo()
      #expect(object.isDeleted)
    }
  }

  @Test(arguments: TestStore.all) func afterASaveThatFails(_ store: TestStore) throws {
    let model = UndoGraph.model()
    model.entitiesByName["Node"]?.attributesByName["name"]?.isOptional = false
    try store.coordinator(model).undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      try context.save()
      node.setValue(nil, forKey: "name")
      #expect(throws: CocoaError.self) { try context.save() }
      context.undo()
      #expect(node.text("name") == "A" && !context.hasChanges)
    }
  }

  @Test func severalStores() throws {
    let model = UndoGraph.model()
    let coordinator = try TestModel.coordinator(model)
    let second = try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    try coordinator.undoing { context, _ throws in
      let node = context.make("Node", ["name": "A"])
      context.assign(node, to: second)
      try context.save()
      context.delete(node)
      try context.save()
      context.undo()
      try context.save()
      #expect(node.objectID.persistentStore === second)
      // Its store is gone: the next one takes it.
      context.event { context.delete(node) }
      try context.save()
      try coordinator.remove(second)
      context.undo()
      #expect(node.objectID.isTemporaryID && node.isInserted)
      try context.save()
      #expect(node.objectID.persistentStore === coordinator.persistentStores[0])
      #expect(try context.names("Node") == ["A"])
    }
  }

  @Test(arguments: TestStore.all) func deleteRulesThatWaitForTheSave(_ store: TestStore) throws {
    let coordinator = try UndoGraph.coordinator(store)
    try coordinator.undoing { context, _ throws in
      context.propagatesDeletesAtEndOfEvent = false
      let (node, child, tag) = (context.make("Node"), context.make("Node"), context.make("Tag"))
      child.setValue(node, forKey: "parent")
      node.mutableSetValue(forKey: "tags").add(tag)
      try context.save()
      let before = try UndoGraph.picture(context)
      context.event { context.delete(node) }
      try context.save()
      #expect(child.one("parent") == nil && tag.many("nodes").isEmpty)
      context.undo()
      context.undo()
      try context.expect(before)
      try context.save()
      try coordinator.inContext { try $0.expect(before) }
    }
  }
}

/// Counts its saves in an attribute.
final class Stamped: NSManagedObject {
  private var stamped = false
  var noteAfterSave: String?

  override func willSave() {
    if stamped || isDeleted { return }
    stamped = true
    setValue((number("stamp") ?? 0) + 1, forKey: "stamp")
  }

  override func didSave() {
    stamped = false
    guard let note = noteAfterSave else { return }
    noteAfterSave = nil
    setValue(note, forKey: "name")
  }

  static func model() -> NSManagedObjectModel {
    let entity = TestModel.entity(
      "Stamped",
      [TestModel.attribute("name", .stringAttributeType), TestModel.attribute("stamp", .integer64AttributeType)])
    entity.managedObjectClassName = NSStringFromClass(Stamped.self)
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }
}
