import CoreData
import Foundation
import OpenCocoaFoundation
import Testing

import class OpenCocoaFoundation.NSCompoundPredicate
import class OpenCocoaFoundation.NSExpression

@_spi(Store) @testable import OpenCoreData

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
    let url = try TestModel.temporaryFile()
    let error = #expect(throws: NSError.self) { try TestModel.coordinator(model, url: url) }
    #expect(error?.localizedFailureReason?.contains("too many columns") == true)
    #expect(error?.localizedDescription.contains("ZWIDE with 2103 columns") == true && error?.code == 134020)
    #expect(!FileManager.default.fileExists(atPath: url.path), "nothing was written")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    let context = TestModel.context(coordinator)
    try context.performAndWait {
      _ = context.make("Wide", ["a2099": "x"])
      try context.save()
    }
  }

  /// What a request may ask for beyond SQLite's limits: an answer, or an error of the request.
  @Test func answersOrErrorsOfRequests() throws {
    let context = try Self.context()
    let attributes = (0..<Self.count).map { "w0.a\($0)" }
    func check(_ what: String, refused: Bool? = nil, _ body: () throws -> Int) {
      do {
        let count = try body()
        #expect(count >= 0 && refused != true, "\(what)")
      } catch {
        let error = error as NSError
        #expect(error.code == 134060 && refused != false, "\(what): \(error)")
      }
    }
    func dictionaries(_ change: (NSFetchRequest<NSDictionary>) -> Void) throws -> Int {
      let request = NSFetchRequest<NSDictionary>(entityName: "Note")
      request.resultType = .dictionaryResultType
      change(request)
      return try context.fetch(request).count + context.count(for: request)
    }
    func fetch(_ predicate: NSPredicate) throws -> Int {
      let request = Self.request([])
      request.predicate = predicate
      return try context.fetch(request).count
    }
    context.performAndWait {
      check("groups", refused: false) {
        try dictionaries {
          $0.propertiesToFetch = attributes
          $0.propertiesToGroupBy = attributes
        }
      }
      check("distinct", refused: false) {
        try dictionaries {
          $0.propertiesToFetch = attributes
          $0.returnsDistinctResults = true
        }
      }
      check("columns", refused: true) {
        try dictionaries {
          $0.propertiesToFetch = (0..<2_001).map { number in
            let column = NSExpressionDescription()
            (column.name, column.expression) = ("c\(number)", NSExpression(format: "w0.a0"))
            return column
          }
        }
      }
      check("arguments") {
        let names = attributes.joined(separator: ", ")
        return try fetch(NSPredicate(format: "sum({\(names), \(names)}) == 1"))
      }
      check("members", refused: false) {
        try fetch(NSPredicate(format: "w0.a0 IN %@", (0..<100_000).map(String.init)))
      }
      for format in ["w0.a0 LIKE %@", "w0.a0 BEGINSWITH %@", "w0.a0 CONTAINS %@", "w0.a0 LIKE[cd] %@", "w0.a0 == %@"] {
        check(format, refused: false) {
          try fetch(NSPredicate(format: format, String(repeating: "a*?", count: 20_000)))
        }
        check(format, refused: false) {
          try fetch(NSPredicate(format: format, String(repeating: "a", count: 2_000_000)))
        }
      }
      check("texts", refused: false) {
        try fetch(
          NSCompoundPredicate(
            orPredicateWithSubpredicates: (0..<2_000).map { NSPredicate(format: "w0.a0 == %@", "\($0)") }))
      }
      check("functions") {
        let format = String(repeating: "abs(", count: 150) + "w0.a0.length" + String(repeating: ")", count: 150)
        return try fetch(NSPredicate(format: "\(format) == 1"))
      }
      check("operators") {
        try fetch(NSPredicate(format: "w0.a0.length" + String(repeating: " + w0.a1.length", count: 500) + " == 1"))
      }
      check("subqueries") {
        let format = String(repeating: "SUBQUERY(w0.notes0, $x, ", count: 70)
        return try fetch(
          NSPredicate(format: "\(format)a0 == 'x'" + String(repeating: ").@count == 1", count: 70)))
      }
      for number in [Int.max, Int.min, -1] {
        check("pages \(number)", refused: false) {
          let request = Self.request(["w0.a0"])
          (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (number, number, number)
          let found = try context.fetch(request).count
          #expect(found == (number > 0 ? 0 : 3))
          request.fetchOffset = 0
          return try context.fetch(request).count + context.count(for: request) + context.fetchPages(request).count
        }
      }
    }
  }
}
