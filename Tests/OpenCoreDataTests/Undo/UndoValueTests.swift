import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Values that are more than a column, or less.
@Suite struct UndoValueTests {
  @Test(arguments: TestStore.all) func transientValues(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, _ throws in
      let node = context.make("Node")
      try context.save()
      context.event { node.setValue("angry", forKey: "mood") }
      context.event { node.setValue(nil, forKey: "mood") }
      context.undo()
      #expect(node.text("mood") == "angry")
      context.undo()
      #expect(node.text("mood") == "calm" && !node.hasChanges)
      context.redo()
      #expect(node.text("mood") == "angry")
    }
  }

  @Test(arguments: TestStore.all) func transformables(_ store: TestStore) throws {
    try store.coordinator(ValuesModel.shapes()).undoing { context, _ throws in
      let red = Colour(1, 0, 0), blue = Colour(0, 0, 1)
      let shape = context.make("Shape", ["name": "A", "colour": red, "tags": ["x"] as NSArray])
      try context.save()
      context.refreshAllObjects()
      context.event {
        shape.setValue(blue, forKey: "colour")
        shape.setValue(["y"] as NSArray, forKey: "tags")
      }
      context.undo()
      #expect((shape.value(forKey: "colour") as? Colour)?.parts == red.parts && !shape.hasChanges)
      #expect(shape.value(forKey: "tags") as? [String] == ["x"])
      context.redo()
      try context.save()
      context.delete(shape)
      try context.save()
      context.undo()
      #expect((shape.value(forKey: "colour") as? Colour)?.parts == blue.parts)
      try context.save()
      context.refreshAllObjects()
      #expect((shape.value(forKey: "colour") as? Colour)?.parts == blue.parts)
      #expect(shape.value(forKey: "tags") as? [String] == ["y"])
    }
  }

  @Test(arguments: TestStore.all) func composites(_ store: TestStore) throws {
    try store.coordinator(ValuesModel.addresses()).undoing { context, _ throws in
      let home: [String: Any] = ["street": "Elm", "number": 5, "place": ["latitude": 1.5]]
      let person = context.make("Person", ["name": "Ada", "address": home])
      try context.save()
      context.event { person.setValue("Oak", forKeyPath: "address.street") }
      context.event { person.setValue(nil, forKey: "address") }
      context.undo()
      #expect(person.value(forKeyPath: "address.street") as? String == "Oak")
      context.undo()
      #expect(person.value(forKey: "address") as? NSDictionary == home as NSDictionary && !person.hasChanges)
      context.delete(person)
      try context.save()
      context.undo()
      #expect(person.value(forKey: "address") as? NSDictionary == home as NSDictionary)
    }
  }

  @Test(arguments: TestStore.all) func largeBinaryValuesInFilesOfTheirOwn(_ store: TestStore) throws {
    let model = UndoGraph.model()
    model.entitiesByName["Node"]?.attributesByName["data"]?.allowsExternalBinaryDataStorage = true
    let url = try store.place()
    defer { store.remove(url) }
    let coordinator = try store.coordinator(model, url: url)
    let data = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    try coordinator.inContext { context throws in
      _ = context.make("Node", ["name": "A", "data": data])
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.undoing { context, _ throws in
      let node = try context.named("A", "Node")
      context.delete(node)
      try context.save()
      // The file is gone by now.
      context.undo()
      #expect(node.value(forKey: "data") as? Data == data)
      try context.save()
      node.setValue(Data([1]), forKey: "data")
      try context.save()
      context.undo()
      try context.save()
    }
    coordinator.emptyRowCache()
    try coordinator.inContext { context throws in
      #expect(try context.named("A", "Node").value(forKey: "data") as? Data == data)
    }
  }

  @Test(arguments: TestStore.all) func primitiveValuesAreNotRecorded(_ store: TestStore) throws {
    try UndoGraph.coordinator(store).undoing { context, manager throws in
      let node = context.make("Node", ["name": "A", "number": 1])
      try context.save()
      context.event { node.setPrimitiveValue(2, forKey: "number") }
      #expect(manager.undoCount == 1)
      context.event {
        node.setValue("B", forKey: "name")
        node.setPrimitiveValue(3, forKey: "number")
      }
      context.undo()
      #expect(node.text("name") == "A" && node.number("number") == 3)
      // What is announced is.
      context.event {
        node.willChangeValue(forKey: "number")
        node.setPrimitiveValue(4, forKey: "number")
        node.didChangeValue(forKey: "number")
      }
      context.undo()
      #expect(node.number("number") == 3)
    }
  }

  @Test(arguments: TestStore.all) func theWholeOfADeletedObject(_ store: TestStore) throws {
    try store.coordinator(TestModel.library()).undoing { context, _ throws in
      let values: [String: Any] = [
        "title": "T", "pages": 7, "price": NSDecimalNumber(string: "1.25"), "weight": 0.5, "inPrint": true,
        "published": Date(timeIntervalSinceReferenceDate: 5), "isbn": UUID(), "cover": Data([1, 2, 3]),
        "link": URL(fileURLWithPath: "/tmp"), "genre": "crime",
      ]
      let novel = context.make("Novel", values)
      try context.save()
      context.delete(novel)
      try context.save()
      context.undo()
      #expect(novel.dictionaryWithValues(forKeys: Array(values.keys)) as NSDictionary == values as NSDictionary)
      try context.save()
      context.refreshAllObjects()
      #expect(novel.dictionaryWithValues(forKeys: Array(values.keys)) as NSDictionary == values as NSDictionary)
    }
  }
}
