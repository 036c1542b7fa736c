import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

@Suite(.enabled(if: Shell.hasSQLite, "sqlite3 is not there")) struct TransformableTests {
  @Test func objectsSurviveReopening() throws {
    let file = try StoreFile(.sqlite, ValuesModel.shapes())
    try file.opened { context in
      let circle = context.make(
        "Circle", ["tags": ["a", "b"], "colour": Colour(1, 2, 3), "rim": Colour(9, 9, 9), "anything": Colour(4, 5, 6)])
      #expect(circle.value(forKey: "tags") as? [String] == ["a", "b"])
      try context.save()
      #expect(circle.value(forKey: "colour") as? Colour == Colour(1, 2, 3) && !circle.hasChanges)
    }
    #expect(
      try Shell.sql(file.url, "SELECT hex(ZCOLOUR), hex(ZRIM), substr(ZTAGS, 1, 6) FROM ZSHAPE") == [
        "010203|090909|bplist"
      ])
    try file.opened { context in
      let circle = try #require(try context.all("Shape").first)
      #expect(circle.value(forKey: "tags") as? [String] == ["a", "b"])
      #expect(circle.value(forKey: "tags") is NSArray)
      #expect(circle.value(forKey: "colour") as? Colour == Colour(1, 2, 3))
      #expect(circle.value(forKey: "rim") as? Colour == Colour(9, 9, 9))
      #expect(circle.value(forKey: "anything") as? Colour == Colour(4, 5, 6))
      let first = circle.value(forKey: "colour") as? Colour
      #expect(first != nil && circle.value(forKey: "colour") as? Colour === first, "decoded once")
      #expect(try circle.transformedValue(forKey: "colour") as? Colour === first)
      #expect(circle.description.contains("colour = <"))
    }
  }

  @Test(arguments: TestStore.all)
  func anObjectKeepsTheVeryObjectThatWasSetAndEachContextMakesItsOwn(_ store: TestStore) throws {
    let coordinator = try store.coordinator(ValuesModel.shapes())
    let first = TestModel.context(coordinator), second = TestModel.context(coordinator)
    let colour = Colour(1, 2, 3)
    try first.performAndWait {
      let shape = first.make("Shape", ["colour": colour])
      try first.save()
      #expect(shape.value(forKey: "colour") as? Colour === colour)
      shape.setValue("named", forKey: "name")
      try first.save()
      #expect(shape.value(forKey: "colour") as? Colour === colour)
      first.refresh(shape, mergeChanges: false)
      #expect(shape.value(forKey: "colour") as? Colour == colour && shape.value(forKey: "colour") as? Colour !== colour)
    }
    try second.performAndWait {
      let shape = try #require(try second.all("Shape").first)
      #expect(shape.value(forKey: "colour") as? Colour == colour && shape.value(forKey: "colour") as? Colour !== colour)
    }
  }

  @Test func changesAreKnownAndAnEqualObjectIsNone() throws {
    let file = try StoreFile(.sqlite, ValuesModel.shapes())
    let words = Dictionary(uniqueKeysWithValues: (0..<50).map { ("word \($0)", $0) })
    try file.opened { context in
      let shape = context.make("Shape", ["colour": Colour(1, 1, 1), "anything": words])
      try context.save()
      let bytes = try Shell.sql(file.url, "SELECT hex(ZANYTHING) FROM ZSHAPE")
      // Another dictionary with the same entries, which an archive may list in another order.
      shape.setValue(NSDictionary(dictionary: words), forKey: "anything")
      #expect(shape.hasChanges && shape.changedValues().isEmpty)
      try context.save()
      #expect(try Shell.sql(file.url, "SELECT hex(ZANYTHING) FROM ZSHAPE") == bytes)
      shape.setValue(Colour(2, 2, 2), forKey: "colour")
      #expect(shape.changedValues()["colour"] as? Colour == Colour(2, 2, 2))
      #expect(shape.committedValues(forKeys: ["colour"])["colour"] as? Colour == Colour(1, 1, 1))
      context.rollback()
      #expect(shape.value(forKey: "colour") as? Colour == Colour(1, 1, 1))
      shape.setValue(nil, forKey: "colour")
      #expect(shape.changedValues()["colour"] is NSNull)
      try context.save()
    }
    #expect(try Shell.sql(file.url, "SELECT ZCOLOUR IS NULL, Z_OPT FROM ZSHAPE") == ["1|3"])
  }

  @Test(arguments: TestStore.all(that: .reopening))
  func whatIsChangedInPlaceIsWrittenWhenItIsSetAgain(_ store: TestStore) throws {
    let file = try StoreFile(store, ValuesModel.shapes())
    try file.opened { context in
      let list = NSMutableArray(array: ["a"])
      let shape = context.make("Shape", ["tags": list])
      try context.save()
      list.add("b")
      #expect(!context.hasChanges)
      shape.setValue(list, forKey: "tags")
      #expect(shape.changedValues()["tags"] as? [String] == ["a", "b"])
      try context.save()
    }
    try file.opened { context throws in
      #expect(try context.all("Shape").first?.value(forKey: "tags") as? [String] == ["a", "b"])
    }
  }

  @Test(arguments: ["tags", "anything", "colour", "missing"])
  func whatCannotBeEncodedFailsTheSaveAndNothingIsLost(key: String) throws {
    let file = try StoreFile(.sqlite, ValuesModel.shapes())
    try file.opened { context in
      let value = Unarchivable()
      let shape = context.make("Shape", ["name": "A", key: value]), other = context.make("Shape", ["name": "B"])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
      #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == key)
      #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === shape)
      let text = try #require(error?.localizedDescription)
      #expect(text.contains("Unarchivable") && text.contains("attribute \(key) of Shape"), "\(text)")
      #expect(shape.value(forKey: key) as? Unarchivable === value && shape.isInserted && other.isInserted)
      shape.setValue(nil, forKey: key)
      try context.save()
    }
    #expect(try Shell.sql(file.url, "SELECT COUNT(*) FROM ZSHAPE") == ["2"])
  }

  @Test(arguments: TestStore.all(that: .reopening))
  func decimalsListsInListsAndObjectsInLists(_ store: TestStore) throws {
    let file = try StoreFile(store, ValuesModel.shapes())
    let price = try #require(Decimal(string: "12345678901234567890.123456789"))
    try file.opened { context in
      context.make("Shape", ["name": "1", "tags": ["prices": [NSDecimalNumber(decimal: price)]]]).setValue(
        [Colour(1, 2, 3)], forKey: "anything")
      var deep: [Any] = []
      for _ in 0..<300 { deep = [deep] }
      let broken = context.make("Shape", ["name": "2", "tags": deep])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedDescription.contains("too deep") ?? false)
      context.delete(broken)
      try context.save()
    }
    try file.opened { context in
      let shape = try #require(try context.all("Shape").first)
      let tags = shape.value(forKey: "tags") as? [String: [NSDecimalNumber]]
      #expect(tags?["prices"]?.first?.decimalValue == price)
      #expect(shape.value(forKey: "anything") as? [Colour] == [Colour(1, 2, 3)])
    }
  }

  @Test(arguments: TestStore.all(that: .reopening)) func aDefaultValueBelongsToEveryNewObject(_ store: TestStore) throws
  {
    let model = ValuesModel.shapes()
    model.entitiesByName["Shape"]?.attributesByName["tags"]?.defaultValue = ["new"]
    let file = try StoreFile(store, model)
    try file.opened { context in
      let shapes = [context.make("Shape"), context.make("Shape")]
      #expect(shapes.allSatisfy { $0.value(forKey: "tags") as? [String] == ["new"] })
      try context.save()
    }
    try file.opened { context throws in
      #expect(try context.all("Shape").allSatisfy { $0.value(forKey: "tags") as? [String] == ["new"] })
    }
  }

  @Test func predicatesAskForNilAndABatchUpdateTransforms() throws {
    let file = try StoreFile(.sqlite, ValuesModel.shapes())
    try file.opened { context in
      _ = context.make("Shape", ["name": "A", "colour": Colour(1, 2, 3)])
      _ = context.make("Shape", ["name": "B"])
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Shape")
      request.predicate = NSPredicate(format: "colour == nil")
      #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["B"])
      let update = NSBatchUpdateRequest(entityName: "Shape")
      update.propertiesToUpdate = ["colour": Colour(7, 7, 7), "tags": NSExpression(forConstantValue: ["t"])]
      _ = try context.execute(update)
      for source in ["name", "tags"] {
        update.propertiesToUpdate = ["colour": NSExpression(forKeyPath: source)]
        #expect(throws: NSError.self) { try context.execute(update) }
      }
    }
    #expect(try Shell.sql(file.url, "SELECT DISTINCT hex(ZCOLOUR) FROM ZSHAPE") == ["070707"])
    try file.opened { context throws in
      #expect(try context.all("Shape").allSatisfy { $0.value(forKey: "tags") as? [String] == ["t"] })
    }
  }
}
