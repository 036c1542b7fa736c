import Foundation

/// What the model requires when rows of some entities are deleted.
package struct DeletionPlan {
  package let steps: [DeletionStep]
  /// The entities whose rows may go, those that cascades lead to included.
  package let numbers: [Int]
  /// The root entities of the deleted objects; the rows are in the tables of these entities.
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

  /// The table, private to the connection, with the keys of a root entity's rows that go.
  package static func keys(of root: SQLEntity) -> String { "OCD_DELETED_\(root.number)" }

  /// The column of such a table that says by which cascade a row came: 0 for the rows that were asked for.
  package static let level = "OCD_LEVEL"

  package var hasCascades: Bool { steps.contains { $0.rule == .cascadeDeleteRule } }
}
