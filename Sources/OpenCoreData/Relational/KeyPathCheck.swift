import Foundation
import OpenCocoaFoundation

/// Checks whether the model has the key paths of requests to stores without SQL. Throws the error that relational
/// stores throw for an unknown key path.
package final class KeyPathCheck: KeyPathChecking {
  /// The schema that requests are translated to SQL with. The SQL is never run.
  private let schema: SQLModel

  package init(_ entities: [NSEntityDescription]) { schema = SQLModel(entities: entities, dialect: SQLiteDialect()) }

  package func check(_ target: FetchTarget) throws {
    guard target.predicate != nil || !target.sortDescriptors.isEmpty || target.dictionaries != nil,
      let entity = schema.entity(for: target.layout.entity)
    else { return }
    var fetch = SQLFetch(model: schema, entity: entity)
    fetch.predicate = target.predicate
    fetch.sortDescriptors = target.sortDescriptors
    if let query = target.dictionaries { fetch = SQLFetch(values: query, target, model: schema, entity: entity) }
    do {
      _ = try fetch.statement()
    } catch let error as NSError where error.localizedDescription.hasPrefix("keypath ") {
      throw error
    } catch {
      // A part of a predicate that has no SQL may still be evaluated in memory.
    }
  }
}
