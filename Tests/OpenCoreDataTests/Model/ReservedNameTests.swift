import CoreData
import Foundation
import Testing

@testable import OpenCoreData

/// Properties that have the names of methods, which Apple's framework does not accept.
@Suite struct ReservedNameTests {
  /// The names that Apple's documentation has as an example, and those that models have most.
  static let names = ["class", "copy", "description", "entity", "hash", "isDeleted", "objectID", "self", "zone"]

  static func model() -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = [
      TestModel.entity("Thing", (names + ["title"]).map { TestModel.attribute($0, .stringAttributeType) })
    ]
    return model
  }

  @Test func theCheckOfAModelTellsThem() {
    #expect(Self.model().warnings.filter { $0.reason.contains("method") }.compactMap(\.property) == Self.names)
  }

  /// No data becomes unreadable.
  @Test func theirValuesAreSavedAndRead() throws {
    let url = try TestModel.temporaryFile()
    defer { try? FileManager.default.removeItem(at: url.deletingLastPathComponent()) }
    let coordinator = try TestModel.coordinator(Self.model(), url: url)
    try coordinator.inContext { context in
      let thing = context.make("Thing", ["title": "t"])
      for name in Self.names { thing.setValue("value of \(name)", forKey: name) }
      try context.save()
    }
    try coordinator.remove(coordinator.persistentStores[0])
    try TestModel.coordinator(Self.model(), url: url).inContext { context in
      let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
      let thing = try #require(try context.fetch(request).first)
      for name in Self.names {
        #expect(thing.value(forKey: name) as? String == "value of \(name)")
        guard name != "self" else { continue }
        request.predicate = NSPredicate(format: "%K == %@", name, "value of \(name)")
        #expect(try context.count(for: request) == 1, "\(name)")
      }
    }
  }
}
