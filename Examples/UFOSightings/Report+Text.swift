import CommandSupport
import ExampleSupport
import Foundation

extension Report {
  /// The report for people: the table, then the statements of the searches.
  var text: String {
    let explanations = searches.map { ([$0.how.title] + $0.statements.map(\.text)).joined(separator: "\n") }
    return ([table.text] + explanations).joined(separator: "\n\n")
  }

  private var table: TextTable {
    var table = TextTable(["\(count) sightings"] + Cost.titles + ["found"])
    func add(_ title: String, _ cost: Cost?, _ found: String) {
      if let cost { table.rows.append([title] + cost.cells + [found]) }
    }
    add("write JSON", generating, "")
    for each in imports {
      let way = each.how == .naive ? "a fetch for each" : "sorted merge"
      let result = "\(each.result.created) new, \(each.result.found) known"
      add("import\(each.isAgain ? " again" : ""): \(way)", each.cost, result)
    }
    for each in shapes {
      add(each.how.title, each.cost, "\(each.counts.count) shapes, \(each.counts.values.reduce(0, +)) in all")
    }
    add("index the words", indexing?.cost, "\(indexing?.tokens ?? 0) tokens")
    for each in searches { add("\(each.how.title) \"\(sought)\"", each.cost, "\(each.found)") }
    for each in seeds {
      add("make the seed", each.making, "\(each.size / 1024) kB")
      add(each.isCopied ? "first launch: copy the seed, open" : "second launch: open", each.launch, "\(each.sightings)")
    }
    return table
  }
}
