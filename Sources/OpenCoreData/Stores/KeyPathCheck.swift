import Foundation
import OpenCocoaFoundation

/// Finds key paths that the model does not have, before somebody is asked for their values: the error is the one that it
/// is in SQLite stores.
final class KeyPathCheck: Sendable {
  /// Fetches are lowered to SQL that nobody runs.
  private let schema: SQLModel

  init(_ entities: [NSEntityDescription]) { schema = SQLModel(entities: entities) }

  /// - Throws: 134060, naming entity and key path.
  func check(_ target: FetchTarget) throws {
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
      // What SQL cannot say may be evaluated in memory.
    }
  }
}
