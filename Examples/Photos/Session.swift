import CoreData
import ExampleSupport
import Foundation

/// One run, on the main thread.
@MainActor struct Session {
  let folder: URL
  let count: Int
  let designs: [Design]
  let indexings: [Indexing]
  /// The number of times that each request is executed.
  let rounds: Int
  private let bar = ProgressBar()

  init(folder: URL, count: Int, designs: [Design], indexings: [Indexing], rounds: Int) {
    self.folder = folder
    self.count = count
    self.rounds = rounds
    self.designs = designs
    self.indexings = indexings
  }

  /// Makes a store for each design and set of indexes, and reads it.
  ///
  /// - Throws: The errors of opening, saving and fetching.
  func run() async throws -> Report {
    var report = Report(count: count)
    for design in designs {
      for indexing in indexings { report.variants.append(try await run(design, indexing)) }
    }
    return report
  }

  private func run(_ design: Design, _ indexing: Indexing) async throws -> Report.Variant {
    bar.begin("\(design.title), indexes: \(indexing.title)")
    bar.finish()
    let url = folder.appending(path: "\(design.rawValue)-\(indexing.rawValue).sqlite")
    let model = indexing.model(of: design)
    var steps = [try await insert(design, model, url)]
    for work in Work.allCases where work != .insert { steps.append(try await read(work, design, model, url)) }
    let size = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0
    return Report.Variant(design: design, indexing: indexing, size: size, steps: steps)
  }

  private func insert(_ design: Design, _ model: NSManagedObjectModel, _ url: URL) async throws -> Report.Step {
    let container = try await Stack.open(model, at: url)
    let meter = Meter()
    try await Inserter(container: container, design: design).insert(count) { bar.show($0, of: count) }
    let cost = meter.cost
    bar.finish()
    return Report.Step(work: .insert, cost: cost, photos: count, statements: [])
  }

  /// Reads several times, each time with a new stack, which has no row in memory yet. Returns the step with the median of the
  /// processor times.
  private func read(
    _ work: Work, _ design: Design, _ model: NSManagedObjectModel, _ url: URL
  ) async throws -> Report.Step {
    var steps: [Report.Step] = []
    for _ in 0..<rounds { steps.append(try await readOnce(work, design, model, url)) }
    steps.sort { $0.cost.processor < $1.cost.processor }
    return steps[rounds / 2]
  }

  private func readOnce(
    _ work: Work, _ design: Design, _ model: NSManagedObjectModel, _ url: URL
  ) async throws -> Report.Step {
    let container = try await Stack.open(model, at: url)
    // The view context belongs to the main thread, on which this code runs.
    let context = container.viewContext
    let list = PhotoList(context: context, design: design)
    let batchSize = work == .controllerInBatches || work == .arrayInBatches ? PhotoList.screen : 0
    let request = work == .fetchByDate ? list.byDate : list.byLikes(batchSize: batchSize)
    let sections = work == .fetchByDate ? nil : design.likesKeyPath
    let (found, statements) = try Explanation.of(request, sections: sections, in: context) {
      let meter = Meter()
      let result =
        try work == .fetchByDate
        ? list.fetchByDate() : list.controller(batchSize: batchSize, byArray: work == .arrayInBatches)
      return (result: result, cost: meter.cost)
    }
    return Report.Step(
      work: work, cost: found.cost, photos: found.result.photos, sections: found.result.sections,
      likesOnScreen: found.result.likesOnScreen, statements: statements)
  }
}
