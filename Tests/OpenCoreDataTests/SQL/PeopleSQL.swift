import Foundation
import Testing

@_spi(Store) @testable import OpenCoreData

/// The SQL of predicates on people, without a database.
struct PeopleSQL {
  let schema = SQLModel(model: Self.model)
  // The schema's entities need the model to live.
  private static let model = PeopleFixture.model()

  /// The condition that a predicate becomes, with what is joined for it.
  func condition(_ predicate: NSPredicate) throws -> String {
    var fetch = SQLFetch(model: schema, entity: try #require(schema.entity(named: "Person")))
    fetch.predicate = predicate
    fetch.result = .count
    return String(try fetch.statement().statement.text.dropFirst("SELECT COUNT(*) FROM ZPERSON t0 ".count))
  }
}
