import CoreData
import Foundation
import Testing

@testable import OpenCoreData

/// Requests that make statements at SQLite's limits.
@Suite struct StatementLimitTests {
  private static let count = 70

  /// A wide entity that others refer to, by as many relationships.
  private static func context() throws -> NSManagedObjectContext {
    let wide = TestModel.entity("Wide", (0..<count).map { TestModel.attribute("a\($0)", .stringAttributeType) })
    let note = TestModel.entity("Note", [])
    for number in 0..<count {
      TestModel.relate(note, "w\(number)", max: 1, wide, "notes\(number)", max: 0)
    }
    let model = NSManagedObjectModel()
    model.entities = [wide, note]
    let context = TestModel.context(try TestModel.coordinator(model, url: TestModel.temporaryFile()))
    try context.performAndWait {
      for number in 0..<3 {
        let target = context.make("Wide", ["a0": "\(2 - number)"])
        context.make("Note", [:]).setValue(target, forKey: "w0")
      }
      try context.save()
    }
    return context
  }

  private static func request(_ keys: [String]) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
    return request
  }

  @Test func sortDescriptors() throws {
    let context = try Self.context()
    try context.performAndWait {
      let keys = (0..<Self.count).map { "w0.a\($0)" }
      for count in [62, 63] {
        let found = try context.fetch(Self.request(Array(keys.prefix(count))))
        #expect(found.map { $0.value(forKeyPath: "w0.a0") as? String } == ["0", "1", "2"])
      }
      // Keys that are there already order nothing.
      let repeated = (0..<400).map { keys[$0 % 2] }
      #expect(try context.fetch(Self.request(repeated)).count == 3)
      let error = #expect(throws: NSError.self) { try context.fetch(Self.request(Array(keys.prefix(64)))) }
      #expect(error?.code == 134060 && error?.localizedDescription.contains("64 sort descriptors") == true)
    }
  }

  @Test func joins() throws {
    let context = try Self.context()
    try context.performAndWait { () throws in
      let request = Self.request([])
      request.predicate = NSCompoundPredicate(
        orPredicateWithSubpredicates: (0..<Self.count).map { NSPredicate(format: "w\($0).a0 == 'x'") })
      let error = #expect(throws: NSError.self) { try context.fetch(request) }
      #expect(error?.code == 134060 && error?.localizedDescription.contains("64 tables") == true)
      #expect(throws: NSError.self) { try context.count(for: request) }
      #expect(try context.fetch(Self.request([])).count == 3)
    }
  }

  /// Far more properties than a table has columns in SQLite.
  @Test func columns() throws {
    let entity = TestModel.entity("Wide", (0..<2_100).map { TestModel.attribute("a\($0)", .stringAttributeType) })
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let error = #expect(throws: NSError.self) { try TestModel.coordinator(model, url: TestModel.temporaryFile()) }
    #expect(error?.localizedFailureReason?.contains("too many columns") == true)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      _ = context.make("Wide", ["a2099": "x"])
      try context.save()
    }
  }
}
