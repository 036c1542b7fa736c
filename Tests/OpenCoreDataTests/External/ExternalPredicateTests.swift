import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Predicates over values that are in files give what the objects would give.
@Suite struct ExternalPredicateTests {
  typealias Fixture = ExternalFixture

  private static let values: [Data?] = [
    nil, Data(), Data([1]), Fixture.bytes(38), Fixture.bytes(102_400), Fixture.bytes(102_401),
    Fixture.bytes(102_401, 2), Fixture.large,
  ]

  private func store() throws -> Fixture {
    let store = try Fixture()
    try store.inContext { context in
      for (index, value) in Self.values.enumerated() {
        for (second, plain) in Self.values.enumerated() {
          let picture = context.make("Photo", ["name": "\(index) \(second)"])
          picture.setValue(value, forKey: "data")
          picture.setValue(plain, forKey: second % 2 == 0 ? "plain" : "negative")
        }
      }
      try context.save()
    }
    return store
  }

  @Test func asInMemory() throws {
    let store = try store()
    var predicates = [
      "data == nil", "data != nil", "data == plain", "data == negative", "data != plain", "data < plain",
    ]
    .map { NSPredicate(format: $0) }
    for value in Self.values.compactMap({ $0 as NSData? }) {
      for format in ["data == %@", "data != %@", "NOT data == %@", "%@ == negative", "plain == %@", "data > %@"] {
        predicates.append(NSPredicate(format: format, value))
      }
    }
    let some = [Self.values[1], Self.values[6], Self.values[4]].compactMap { $0 as NSData? } as NSArray
    predicates += ["data IN %@", "NOT negative IN %@"].map { NSPredicate(format: $0, some) }
    try store.inContext { context in
      let all = try context.all("Photo")
      for predicate in predicates {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        request.predicate = predicate
        let expected = Set(all.filter { predicate.evaluate(with: $0) }.compactMap { $0.text("name") })
        let found = Set(try context.fetch(request).compactMap { $0.text("name") })
        #expect(found == expected, "\("\(predicate)".prefix(120))")
        #expect(try context.count(for: request) == expected.count)
      }
    }
  }

  @Test func aMissingFileEqualsNothing() throws {
    let store = try Fixture()
    try store.inContext { context in
      _ = context.make("Picture", ["name": "a", "data": Fixture.large])
      try context.save()
      for name in store.files() { try FileManager.default.removeItem(at: store.folder.appendingPathComponent(name)) }
      let request = NSFetchRequest<NSManagedObject>(entityName: "Picture")
      request.predicate = NSPredicate(format: "data == %@", Fixture.large as NSData)
      #expect(try context.count(for: request) == 0)
      request.predicate = NSPredicate(format: "data != %@", Fixture.large as NSData)
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test func batchUpdates() throws {
    let store = try Fixture()
    try store.inContext { context in
      for name in ["a", "b"] { _ = context.make("Picture", ["name": name, "data": Fixture.large]) }
      try context.save()
      let update = NSBatchUpdateRequest(entityName: "Picture")
      update.propertiesToUpdate = ["data": Data([7])]
      update.predicate = NSPredicate(format: "name == 'a'")
      _ = try context.execute(update)
      #expect(try store.sql("SELECT hex(ZDATA) FROM ZPICTURE WHERE ZNAME = 'a'") == [["0107"]])
      #expect(try store.files().count == 1 && store.files() == store.references())
      update.propertiesToUpdate = ["data": Fixture.bytes(200_000)]
      update.predicate = nil
      _ = try context.execute(update)
      #expect(store.files().isEmpty)
      context.reset()
      #expect(
        try context.all("Picture").map { $0.value(forKey: "data") as? Data }
          == Array(repeating: Fixture.bytes(200_000), count: 2))
      for (key, path) in [("data", "plain"), ("plain", "data")] {
        update.propertiesToUpdate = [key: NSExpression(forKeyPath: path)]
        #expect(throws: NSError.self) { try context.execute(update) }
      }
    }
  }
}
