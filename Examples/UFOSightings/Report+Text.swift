import CommandSupport
import ExampleSupport
import Foundation

extension Report {
  /// The report for people: the table, then the statements of the searches.
  var text: String {
    let explanations = searches.map { ([$0.how.title] + $0.statements.map(\.text)).joined(separator: "\n") }
    return ([table.text] + explanations + (fetching.map { [$0.text] } ?? [])).joined(separator: "\n\n")
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
    if let fetching {
      add("open what is there", fetching.opening, "\(fetching.before)")
      add("fetch the seed meanwhile", fetching.download, "\(fetching.received / 1024) of \(fetching.size / 1024) kB")
      add("exchange the seed", fetching.installing, "\(fetching.after)")
    }
    return table
  }
}

extension Report.Fetching {
  /// What happened, and the user's own objects.
  fileprivate var text: String {
    let outcome =
      switch self.outcome {
      case .installed: "The seed was installed."
      case .replaced: "A newer seed has replaced the one that was there."
      case .isCurrent: "There is no newer seed."
      case .failed: "No seed was fetched; the program goes on with the one it has: \(failure ?? "")"
      }
    let parts = kept > 0 ? ["\(kept) bytes were there from an earlier run."] : []
    let resumed = resumed > 0 ? ["The download was interrupted, and went on, \(resumed) times."] : []
    let marks = marks.map { "  \($0.text): \($0.place ?? "not in this seed")" }
    return ([outcome] + parts + resumed + (marks.isEmpty ? [] : ["Own notes:"]) + marks).joined(separator: "\n")
  }
}
