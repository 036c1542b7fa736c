import Foundation

@_spi(Store) @testable import OpenCoreData

// Deletions over private tables of keys, and history.
extension StoreStatementCatalogue {
  var deletions: [Entry] {
    guard let band = schema.entity(named: "Band") else { return [] }
    let plan = DeletionPlan([band.number], in: schema)
    let dialect = schema.dialect
    var entries: [Entry] = []
    for (index, command) in plan.preparation.enumerated() {
      entries.append(Entry(name: "keys, \(index + 1)", isDefinition: true) { try command.statement(dialect) })
    }
    entries.append(
      Entry(name: "rows that go") {
        var fetch = SQLFetch(model: schema, entity: band)
        fetch.predicate = NSPredicate(format: "town == 'Ulm'")
        fetch.result = .keys
        return try DeletionPlan.seeding(band, fetch.statement().statement).statement(dialect)
      })
    for step in plan.steps {
      let name = "\(step.relationship.owner?.name ?? "").\(step.relationship.name)"
      switch step.rule {
      case .cascadeDeleteRule:
        entries.append(Entry(name: "cascade of \(name)") { try plan.cascade(step).statement(dialect) })
      case .denyDeleteRule:
        entries.append(Entry(name: "denial of \(name)") { try plan.denial(step).statement(dialect) })
      default: entries += nullifications(step, name, plan)
      }
    }
    entries.append(Entry(name: "all rows that go") { try plan.rows(band).statement(dialect) })
    entries.append(Entry(name: "the rows go") { try plan.deletion(band).statement(dialect) })
    return entries
  }

  private func nullifications(_ step: DeletionStep, _ name: String, _ plan: DeletionPlan) -> [Entry] {
    let dialect = schema.dialect
    var entries: [Entry] = []
    if let reference = step.reference {
      entries.append(Entry(name: "obstacle of \(name)") { try plan.obstacle(step, reference).statement(dialect) })
      entries.append(
        Entry(name: "nullification of \(name)") {
          try plan.nullification(step, reference, returnsRows: true).statement(dialect)
        })
    }
    if let owners = step.owners {
      entries.append(Entry(name: "release of \(name)") { try plan.release(step, owners).statement(dialect) })
    }
    if let (table, columns) = step.pairs {
      for column in columns {
        entries.append(
          Entry(name: "separation of \(name) by \(column)") {
            try plan.separation(step, table, column).statement(dialect)
          })
      }
    }
    return entries
  }

  var history: [Entry] {
    guard let song = schema.entity(named: "Song") else { return [] }
    let history = HistoryStatements(fixed: schema.dialect.columns), dialect = schema.dialect
    let layout = HistoryLayout(song), keys = DeletionPlan.keys(of: song)
    return [
      Entry(name: "a change") { try history.change.statement(dialect) },
      Entry(name: "a transaction") { try history.transaction.statement(dialect) },
      Entry(name: "a string of history") { try history.knownString.statement(dialect) },
      Entry(name: "a new string of history") { try history.string.statement(dialect) },
      Entry(name: "insertions") { try history.insertions(of: song).statement(dialect) },
      Entry(name: "a deletion") { try history.deletion(layout).statement(dialect) },
      Entry(name: "keys of songs", isDefinition: true) {
        try DeletionPlan([song.number], in: schema).preparation[0].statement(dialect)
      },
      Entry(name: "deletions of many") { try history.deletions(layout, in: keys).statement(dialect) },
      Entry(name: "how many deletions") { try history.count(of: song, in: keys).statement(dialect) },
      Entry(name: "purge of changes") { try history.purgeOfChanges.statement(dialect) },
      Entry(name: "purge of transactions") { try history.purgeOfTransactions.statement(dialect) },
      Entry(name: "first transaction since a date") { try history.firstSince.statement(dialect) },
    ]
  }
}
