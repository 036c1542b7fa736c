import CoreData
import Testing

@_spi(Store) @testable import OpenCoreData

/// Which index is advised for orders that are not plainly ascending.
@Suite struct IndexDirectionTests {
  /// The advice for books in an order, where they have an index by these properties; a minus before one turns it round.
  private func advice(_ order: [NSSortDescriptor], _ index: [String] = []) throws -> IndexAdvice {
    let model = TestModel.library()
    let book = try #require(model.entitiesByName["Book"])
    let elements = index.compactMap { name -> NSFetchIndexElementDescription? in
      let isDescending = name.hasPrefix("-")
      return book.attributesByName[isDescending ? String(name.dropFirst()) : name].map {
        let element = NSFetchIndexElementDescription(property: $0, collationType: .binary)
        element.isAscending = !isDescending
        return element
      }
    }
    if !elements.isEmpty { book.indexes = [NSFetchIndexDescription(name: "byOrder", elements: elements)] }
    let context = TestModel.context(try TestModel.coordinator(model))
    return try context.performAndWait {
      for pages in 0..<5 { _ = context.make("Novel", ["title": "\(pages)", "pages": pages]) }
      try context.save()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
      request.sortDescriptors = order
      let query = try #require(try context.explain { try context.fetch(request) }.queries.first)
      return query.advice(entity: "Book", sortDescriptors: order)
    }
  }

  private func order(_ keys: String...) -> [NSSortDescriptor] {
    keys.map {
      $0.hasPrefix("-") ? .init(key: String($0.dropFirst()), ascending: false) : .init(key: $0, ascending: true)
    }
  }

  @Test func whatIsTurnedRoundAsAWholeIsServedByTheSameIndex() throws {
    for keys in [order("pages", "title"), order("-pages", "-title")] {
      #expect(try advice(keys) == .missing(entity: "Book", properties: ["pages", "title"]))
      #expect(try advice(keys, ["pages", "title"]) == .served)
    }
  }

  @Test func otherDirectionsTakeAnIndexOfTheirOwn() throws {
    for keys in [order("pages", "-title"), order("-pages", "title")] {
      let missing = IndexAdvice.missing(entity: "Book", properties: ["pages", "title descending"])
      #expect(try advice(keys) == missing)
      #expect(try advice(keys, ["pages", "title"]) == missing)
      #expect(try advice(keys, ["pages", "-title"]) == .served)
    }
  }

  @Test func noIndexHasTheOrderOfPeople() throws {
    let order = [NSSortDescriptor(key: "title", ascending: true, selector: "localizedStandardCompare:")]
    #expect(try advice(order) == .useless(entity: "Book"))
    #expect(try advice(order, ["title"]) == .useless(entity: "Book"))
  }
}
