import Foundation

/// The consequences of deleting rows of some entities, by the rules of the model.
package struct DeletionPlan {
  package let steps: [DeletionStep]
  /// The entities whose rows may be deleted, including those that cascades lead to.
  package let numbers: [Int]
  /// The root entities of these entities. Their tables hold the rows.
  package let roots: [SQLEntity]

  package init(_ numbers: [Int], in schema: SQLModel) {
    var reached = Set(numbers)
    var steps = DeletionStep.all(for: numbers, in: schema)
    while true {
      let next = reached.union(steps.lazy.filter { $0.rule == .cascadeDeleteRule }.flatMap(\.destination.numbers))
      if next == reached { break }
      reached = next
      steps = DeletionStep.all(for: reached.sorted(), in: schema)
    }
    self.steps = steps
    self.numbers = reached.sorted()
    roots = Set(self.numbers.compactMap { schema.entity(number: $0)?.root.number }).sorted()
      .compactMap(schema.entity(number:))
  }

  /// The table, private to the connection, with the keys of a root entity's rows that are deleted.
  package static func keys(of root: SQLEntity) -> String { "OCD_DELETED_\(root.number)" }

  /// The column of such a table with the level of the cascade that added a row: 0 for the rows that were requested.
  package static let level = "OCD_LEVEL"

  package var hasCascades: Bool { steps.contains { $0.rule == .cascadeDeleteRule } }
}
