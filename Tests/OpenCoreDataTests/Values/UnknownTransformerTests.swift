import CoreData
import Testing

/// Attributes whose model names a transformer that nobody has registered.
@Suite struct UnknownTransformerTests {
  private static func model(_ transformer: String) -> NSManagedObjectModel {
    let tags = TestModel.attribute("tags", .transformableAttributeType)
    tags.valueTransformerName = transformer
    let model = NSManagedObjectModel()
    model.entities = [TestModel.entity("Note", [TestModel.attribute("name", .stringAttributeType), tags])]
    return model
  }

  private func tags(_ store: TestStore, _ url: URL?, _ name: String) throws -> Any? {
    try store.coordinator(Self.model(name), url: url).inContext { context in
      try context.all("Note")[0].transformedValue(forKey: "tags")
    }
  }

  @Test(arguments: TestStore.all(that: .reopening)) func whatTheDefaultTransformerTakesIsSaved(_ store: TestStore)
    throws
  {
    let url = try store.place(), name = "NSSecureUnarchiveFromDataTransformerName"
    try store.coordinator(Self.model(name), url: url).inContext { context in
      _ = context.make("Note", ["tags": ["a", "b"] as NSArray])
      try context.save()
    }
    #expect(try tags(store, url, name) as? NSArray == ["a", "b"])
  }

  @Test(arguments: TestStore.all) func anythingElseIsAnError(_ store: TestStore) throws {
    try store.coordinator(Self.model("NobodysTransformer1")).inContext { context in
      _ = context.make("Note", ["tags": NSDateInterval(start: Date(), duration: 1)])
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.code == NSManagedObjectValidationError)
    }
  }

  /// Neither a transformer that unarchives nor one that reads other bytes loses what was written without it.
  @Test(arguments: TestStore.all(that: .reopening)) func itIsReadableWhenTheTransformerComes(_ store: TestStore) throws
  {
    let url = try store.place(), late = "LateTransformer-\(UUID().uuidString)"
    try store.coordinator(Self.model(late), url: url).inContext { context in
      _ = context.make("Note", ["tags": ["a"] as NSArray])
      try context.save()
    }
    for transformer in [ReversingTransformer(), OnlyStringsTransformer()] as [ValueTransformer] {
      ValueTransformer.setValueTransformer(transformer, forName: NSValueTransformerName(late))
      #expect(try tags(store, url, late) as? NSArray == ["a"], "\(transformer)")
    }
    ValueTransformer.setValueTransformer(nil, forName: NSValueTransformerName(late))
  }

  @Test(arguments: TestStore.all(that: .reopening)) func bytesThatNobodyReadsAreAnErrorAndNotNil(_ store: TestStore)
    throws
  {
    let url = try store.place(), name = "SilentTransformer-\(UUID().uuidString)"
    ValueTransformer.setValueTransformer(SilentTransformer(), forName: NSValueTransformerName(name))
    defer { ValueTransformer.setValueTransformer(nil, forName: NSValueTransformerName(name)) }
    try store.coordinator(Self.model(name), url: url).inContext { context in
      _ = context.make("Note", ["tags": "x"])
      try context.save()
    }
    #expect(throws: NSError.self) { try tags(store, url, name) }
  }
}

/// Writes a text backwards, and reads nothing else.
private final class ReversingTransformer: ValueTransformer {
  override func transformedValue(_ value: Any?) -> Any? {
    (value as? String).map { Data(String($0.reversed()).utf8) }
  }

  override func reverseTransformedValue(_ value: Any?) -> Any? {
    (value as? Data).flatMap { String(data: $0, encoding: .ascii) }.map { String($0.reversed()) }
  }
}

/// Unarchives texts alone.
private final class OnlyStringsTransformer: NSSecureUnarchiveFromDataTransformer {
  override class var allowedTopLevelClasses: [AnyClass] { [NSString.self] }
}

/// Unarchives to nothing, and says nothing.
private final class SilentTransformer: NSSecureUnarchiveFromDataTransformer {
  override func transformedValue(_ value: Any?) -> Any? { nil }

  override func reverseTransformedValue(_ value: Any?) -> Any? { Data([1, 2, 3]) }
}
