import Foundation
import Testing

import class OpenCocoaFoundation.NSComparisonPredicate

@_spi(Store) @testable import OpenCoreData

/// Reads the model of the fixture, which has one of everything.
@Suite struct SourceModelTests {
  static let fixture = Bundle.module.resourceURL?.appendingPathComponent("Fixtures/Library.xcdatamodeld")
  private let model: NSManagedObjectModel

  init() throws { model = try NSManagedObjectModel(validatingContentsOf: #require(Self.fixture)) }

  private func attribute(_ entity: String, _ name: String) throws -> NSAttributeDescription {
    try #require(model.entitiesByName[entity]?.attributesByName[name])
  }

  @Test func readsTheCurrentVersion() throws {
    #expect(model.entities.map(\.name) == ["Item", "Book", "Author"])
    #expect(model.versionIdentifiers == ["1"])
    let other = try #require(Self.fixture).appendingPathComponent("Library 2.xcdatamodel")
    #expect(NSManagedObjectModel(contentsOf: other)?.entities.map(\.name) == ["Shelf"])
  }

  @Test func entities() throws {
    let item = try #require(model.entitiesByName["Item"])
    let book = try #require(model.entitiesByName["Book"])
    #expect(item.isAbstract && item.managedObjectClassName == "Item" && item.userInfo?["table"] as? String == "items")
    #expect(book.superentity === item && book.managedObjectClassName == "Library.Book")
    #expect(book.renamingIdentifier == "Volume" && item.renamingIdentifier == "Item")
    #expect(item.uniquenessConstraintNames == [["identifier"]])
    #expect(item.indexes.map(\.name) == ["byTitle"])
    #expect(item.indexes.first?.elements.map(\.isAscending) == [true, false])
    #expect(model.entitiesByName["Author"]?.compoundIndexNames == [["name", "itemCount"]])
    #expect(model.configurations == ["Public"])
    #expect(model.entities(forConfigurationName: "Public")?.map(\.name) == ["Item", "Book"])
    let related = try #require(book.propertiesByName["related"] as? NSFetchedPropertyDescription)
    #expect(related.isOptional && related.isTransient && related.fetchRequest?.entity === book)
    #expect(related.fetchRequest?.predicate?.description == "title == $FETCH_SOURCE.title")
  }

  @Test func attributes() throws {
    let title = try attribute("Book", "title")
    #expect(!title.isOptional && title.renamingIdentifier == "name" && title.versionHashModifier == "2")
    #expect(title.limits == AttributeLimits(minimum: 1, maximum: 200, pattern: "\\S.*"))
    #expect(try attribute("Item", "added").limits.earliest == Date(timeIntervalSinceReferenceDate: 0))
    #expect(try attribute("Book", "cover").allowsExternalBinaryDataStorage)
    #expect(try attribute("Book", "isbn").preservesValueInHistoryOnDeletion)
    #expect(try attribute("Book", "isbn").isIndexed)
    #expect(try attribute("Book", "mood").attributeType == .undefinedAttributeType)
    #expect(try attribute("Book", "tags").attributeValueClassName == "[String]")
    #expect(try attribute("Book", "tags").valueTransformerName == "NSSecureUnarchiveFromData")
    let home = try #require(try attribute("Author", "home") as? NSCompositeAttributeDescription)
    #expect(home.leaves.map { $0.path.joined(separator: ".") } == ["latitude", "longitude"])
    #expect((try attribute("Author", "itemCount") as? NSDerivedAttributeDescription)?.derivationText == "count:(items)")
  }

  @Test func limitsAreValidationPredicates() throws {
    let title = try attribute("Item", "title")
    let predicates = title.validationPredicates.compactMap { $0 as? NSComparisonPredicate }
    #expect(predicates.map(\.predicateOperatorType) == [.greaterThanOrEqualTo, .lessThanOrEqualTo, .matches])
    #expect(predicates.first?.leftExpression.keyPath == "length")
    #expect(predicates.first?.rightExpression.constantValue as? NSNumber == 1)
    #expect(title.validationWarnings as? [NSNumber] == [1670, 1660, 1680])
    #expect(try attribute("Item", "price").validationWarnings as? [NSNumber] == [1620])
    #expect(try attribute("Item", "added").validationWarnings as? [NSNumber] == [1640])
    title.setValidationPredicates([NSPredicate(value: true)], withValidationWarnings: ["Never."])
    #expect(title.validationWarnings as? [String] == ["Never."])
  }

  @Test func derivations() throws {
    let texts = [
      "items.@count": "count:(items)", "canonical:(name)": "canonical:(name)", "now()": "now()",
      "category.name": "category.name", "lines.price.@sum": "sum:(lines.price)",
    ]
    for (source, text) in texts {
      let derived = NSDerivedAttributeDescription()
      derived.derivationExpression = DerivationText.expression(source)
      #expect(derived.derivationText == text)
    }
    #expect(DerivationText.expression("") == nil && DerivationText.expression("count:(") == nil)
  }

  @Test func defaultValues() throws {
    #expect(try attribute("Item", "added").defaultValue as? Date == Date(timeIntervalSinceReferenceDate: 631_123_200))
    #expect(try attribute("Item", "available").defaultValue as? Bool == true)
    #expect(try attribute("Item", "price").defaultValue as? NSDecimalNumber == NSDecimalNumber(string: "12.5"))
    #expect(try attribute("Item", "title").defaultValue as? String == "")
    #expect(try attribute("Book", "pages").defaultValue as? NSNumber == -1)
    #expect(try attribute("Item", "identifier").defaultValue == nil)
  }

  @Test func relationships() throws {
    let author = try #require(model.entitiesByName["Author"])
    let items = try #require(author.relationshipsByName["items"])
    let authors = try #require(model.entitiesByName["Book"]?.relationshipsByName["authors"])
    #expect(items.inverseRelationship === authors && authors.inverseRelationship === items)
    #expect(items.isToMany && items.minCount == 1 && items.maxCount == 9 && items.deleteRule == .denyDeleteRule)
    #expect(authors.isOrdered && authors.deleteRule == .nullifyDeleteRule)
    let mentor = try #require(author.relationshipsByName["mentor"])
    #expect(!mentor.isToMany && mentor.inverseRelationship == nil && mentor.deleteRule == .noActionDeleteRule)
  }

  @Test func survivesTheModelCache() throws {
    let cached = try ModelCache.decode(ModelCache.encode(model))
    #expect(cached == model)
    #expect(cached.versionChecksum == model.versionChecksum && cached.versionIdentifiers == ["1"])
    let title = try #require(cached.entitiesByName["Book"]?.attributesByName["title"])
    #expect(title.entity === cached.entitiesByName["Item"])
    #expect(try title.limits == attribute("Book", "title").limits)
    #expect(try ModelCache.encode(cached) == ModelCache.encode(model))
  }
}
