import CommandSupport
import Foundation
import InstrumentsAnalysis
import OpenCoreData

/// A database's plan for a fetch, with the keys of its JSON.
public struct ExplainReport: Encodable, Sendable {
  /// The numbers of rows that a fetch examines and finds.
  public struct Rows: Encodable, Sendable, Equatable {
    /// All objects of the entity.
    public var total: Int
    /// The number of examined rows: an estimate.
    public var examined: Int
    /// The number of found rows, without limit and offset; counted.
    public var found: Int
  }

  /// The statement.
  public var sql: String
  /// The values of the statement's variables, as SQL writes them.
  public var bindings: [String]
  /// The plan in the database's own words.
  public var plan: [String]
  /// The plan in words.
  public var steps: [String]
  /// The indexes that serve the statement.
  public var indexes: [String]
  /// The properties of the missing index, the most significant first; nil if no index is missing. A property that has to be
  /// sorted in the opposite direction of the first one is followed by ` descending`.
  public var missing: [String]?
  /// Whether an index is missing, in words.
  public var advice: String
  /// The numbers of rows; nil if rows were not counted.
  public var rows: Rows?
  /// The entity of the fetch.
  public let entity: String

  private enum CodingKeys: String, CodingKey { case sql, bindings, plan, steps, indexes, missing, advice, rows, entity }

  package init(_ query: StoreQuery, of store: any QueriedStore, isCount: Bool, countsRows: Bool) throws {
    let explained = try store.explain(query, isCount: isCount)
    entity = query.entity
    sql = explained.sql
    bindings = explained.bindings
    plan = explained.plan
    let names = StoreNames(store)
    steps =
      explained.words
      ?? PlanWords(sql, entity: { names.entity(ofTable: $0) }, property: { names.property(ofColumn: $1, in: $0) })
      .lines(of: plan)
    let advice = explained.advice(
      entity: query.entity, predicate: query.predicate, sortDescriptors: isCount ? [] : query.sortDescriptors)
    self.advice = advice.text
    if case .missing(_, let properties) = advice { missing = properties }
    // An index that is only read from end to end is not used for anything.
    indexes = if case .useless = advice { [] } else { explained.indexes }
    rows = try countsRows ? Rows(store.estimate(query, explained)) : nil
  }
}

extension ExplainReport.Rows {
  fileprivate init(_ estimate: RowEstimate) {
    self.init(total: estimate.total, examined: estimate.examined, found: estimate.found)
  }
}

/// The names in the model for a store's tables and columns.
private struct StoreNames {
  private let model: NSManagedObjectModel?

  init(_ store: any QueriedStore) { model = store.model }

  /// Returns the name of the root entity whose table this is.
  func entity(ofTable table: String) -> String? { root(table)?.name }

  func property(ofColumn column: String, in table: String) -> String? {
    if column == "Z_PK" { return "SELF" }
    if column == "Z_ENT" { return "entity" }
    guard let root = root(table), let model else { return nil }
    for entity in model.entities.sorted(by: { ($0.name ?? "") < ($1.name ?? "") }) where entity.isKindOf(entity: root) {
      if let name = entity.propertiesByName.keys.sorted().first(where: { "Z\($0.uppercased())" == column }) {
        return name
      }
    }
    return nil
  }

  private func root(_ table: String) -> NSEntityDescription? {
    model?.entities.first { $0.superentity == nil && "Z\(($0.name ?? "").uppercased())" == table.uppercased() }
  }
}
