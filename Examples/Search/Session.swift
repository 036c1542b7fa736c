import CoreData
import ExampleSupport
import Foundation

/// One run, on the main thread.
@MainActor struct Session {
  let folder: URL
  let count: Int
  /// The beginning of a word to search for.
  let sought: String
  private let bar = ProgressBar()

  init(folder: URL, count: Int, sought: String) {
    self.folder = folder
    self.count = count
    self.sought = sought
  }

  /// Does all the work of the example.
  ///
  /// - Throws: The errors of opening, saving and fetching.
  func run() async throws -> Report {
    var report = Report(count: count, sought: sought, filling: try await fill())
    for way in Way.allCases { report.searches.append(try await search(way)) }
    begin("Comparing in fifteen ways")
    (report.ladder, report.plainSQLite) = try await Ladder(folder: folder, count: count).climb()
    begin("Sorting")
    for order in Order.allCases {
      report.sortings.append(try Sorting.measure(order, in: try await Stack.open(in: folder).context))
    }
    begin("Keeping canonical texts")
    for keeper in Keeper.allCases {
      let url = folder.appending(path: "\(keeper.rawValue).sqlite")
      report.keepings.append(
        try Keeping.measure(keeper, count, in: try await Stack.container(Model.keeping, [(nil, url)])))
    }
    report.typing = try await Typing(context: try await Stack.open(in: folder).context).type(sought)
    report.mistakes = try await Mistakes.temporaryURIs(in: folder)
    return report
  }

  private func fill() async throws -> Cost {
    begin("Saving \(count) sightings and their words")
    let filling = Filling(stack: try await Stack.open(in: folder))
    let meter = Meter()
    try filling.fill(count) { bar.show($0, of: count) }
    let cost = meter.cost
    bar.finish()
    return cost
  }

  /// Searches with new stacks, which have no row in memory yet.
  private func search(_ way: Way) async throws -> Report.Search {
    let stack = try await Stack.open(in: folder)
    let (found, statements) = try Explanation.of(
      Sighting.fetchRequest(), in: way == .ownStack ? stack.ownContext : stack.context
    ) {
      let meter = Meter()
      let sightings = try stack.sightings(sought, way)
      return (count: sightings.count, cost: meter.cost)
    }
    return Report.Search(way: way, found: found.count, cost: found.cost, statements: statements)
  }

  private func begin(_ text: String) {
    bar.begin(text)
    bar.finish()
  }
}
