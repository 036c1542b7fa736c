import Foundation
import OpenCocoaFoundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// Validation predicates beside limits, as compiled models and stores state them.
@Suite struct ValidationPredicateTests {
  private func model() throws -> NSManagedObjectModel {
    let title = NSAttributeDescription()
    title.name = "title"
    title.attributeType = .stringAttributeType
    title.setValidationPredicates(
      [NSPredicate(format: "length >= 3 AND length <= 50"), NSPredicate(format: "SELF CONTAINS 'title'")],
      withValidationWarnings: ["Title must have a length between 3 and 50 chars.", "Title must contain 'title'."])
    let book = NSEntityDescription()
    book.name = "Book"
    book.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [book]
    return model
  }

  @Test func theyAreKeptWithTheirWarnings() throws {
    let decoded = try ModelCache.decode(ModelCache.encode(model()))
    let title = try #require(decoded.entitiesByName["Book"]?.attributesByName["title"])
    #expect(
      title.validationPredicates.map(\.description) == ["length >= 3 AND length <= 50", "SELF CONTAINS \"title\""])
    #expect(title.validationWarnings.last as? String == "Title must contain 'title'.")
    #expect(title.limits.isEmpty)
  }

  @Test func savesReportTheWarning() throws {
    let decoded = try ModelCache.decode(ModelCache.encode(model()))
    let context = TestModel.context(try TestModel.coordinator(decoded, url: URL(fileURLWithPath: "/dev/null")))
    try context.performAndWait {
      let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
      book.setValue("no such word", forKey: "title")
      let error = #expect(throws: NSError.self) { try context.save() }
      #expect(error?.localizedDescription.contains("Title must contain 'title'.") == true)
      book.setValue("a title", forKey: "title")
      try context.save()
    }
  }

  /// Only what is a limit exactly becomes one; a second limit of a kind is kept as a predicate.
  @Test func limitsAreToldApart() throws {
    let model = try model()
    let title = try #require(model.entitiesByName["Book"]?.attributesByName["title"])
    title.limits = AttributeLimits(minimum: 2, pattern: "t.*")
    title.storedValidationPredicates = [
      NSPredicate(format: "length >= 4"), NSPredicate(format: "SELF MATCHES[c] 'x.*'"),
      NSPredicate(format: "title >= 4"),
    ]
    title.storedValidationWarnings = [1670, 1680, 1670]
    let decoded = try ModelCache.decode(ModelCache.encode(model))
    let read = try #require(decoded.entitiesByName["Book"]?.attributesByName["title"])
    #expect(read == title && read.limits == title.limits && read.validationWarnings.count == 5)
  }
}
