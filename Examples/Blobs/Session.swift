import CoreData
import ExampleSupport
import Foundation

/// One run, on the main thread.
@MainActor struct Session {
  let folder: URL
  let count: Int
  let maker: PictureMaker
  let designs: [Design]
  private let bar = ProgressBar()

  init(folder: URL, count: Int, maker: PictureMaker, designs: [Design]) {
    self.folder = folder
    self.count = count
    self.maker = maker
    self.designs = designs
  }

  /// Makes a store for each design, does all pieces of work on it, and removes it.
  ///
  /// - Throws: The errors of opening, saving, fetching and copying.
  func run() async throws -> Report {
    var report = Report(count: count, bytes: (0..<count).reduce(0) { $0 + maker.size(of: $1) })
    for design in designs {
      let place = folder.appending(path: design.rawValue)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
      // The pictures are large: there is one design's store at a time.
      defer { try? FileManager.default.removeItem(at: place) }
      report.variants.append(try await run(design, in: place))
    }
    return report
  }

  private func run(_ design: Design, in place: URL) async throws -> Report.Variant {
    bar.begin("\(design.title)\n")
    let store = place.appending(path: "Pictures.sqlite")
    var variant = Report.Variant(design: design)
    for work in Work.allCases { variant.steps.append(try await step(work, design, at: store)) }
    try await variant.mistakes.copyFileAlone(of: store, design, to: place.appending(path: "Alone.sqlite"))
    try await variant.mistakes.giveUp(maker, design, at: store)
    return variant
  }

  /// Does one piece of work with a new stack, which has no row in memory.
  private func step(_ work: Work, _ design: Design, at store: URL) async throws -> Report.Step {
    let container = try await Stack.open(design, at: store)
    // The view context belongs to the main thread, on which this code runs.
    let context = container.viewContext
    if let act = work.onList?(PictureList(context: context, design: design)) {
      let meter = Meter()
      let found = try act()
      let cost = meter.cost
      return Report.Step(work: work, cost: cost, found: found, size: try size(of: store, container))
    }
    if work == .insert {
      let cost = try Inserter(context: context, design: design, maker: maker).insert(count) { bar.show($0, of: count) }
      bar.finish()
      return Report.Step(work: work, cost: cost, found: .init(pictures: count), size: try size(of: store, container))
    }
    return try await copy(work, design, container, from: store)
  }

  /// The size of a store, which is closed: the files of values that were deleted stay as long as somebody may read an older
  /// state. The log is that of the open store.
  private func size(of url: URL, _ container: NSPersistentContainer) throws -> StoreSize {
    var size = StoreSize(of: url)
    let coordinator = container.persistentStoreCoordinator
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    let closed = StoreSize(of: url)
    (size.beside, size.files) = (closed.beside, closed.files)
    return size
  }

  /// Makes a second store and, not measured, reads all its pictures.
  private func copy(
    _ work: Work, _ design: Design, _ container: NSPersistentContainer, from store: URL
  ) async throws -> Report.Step {
    let url = store.deletingLastPathComponent().appending(path: "\(work.rawValue).sqlite")
    let copying = Copying(design: design, container: container, store: store)
    let meter = Meter()
    if work == .backUp { try copying.backUp(to: url) } else { try copying.copy(to: url) }
    let cost = meter.cost
    let size = StoreSize(of: url)
    let found = try PictureList(context: try await Stack.open(design, at: url).viewContext, design: design).all()
    return Report.Step(work: work, cost: cost, found: found, size: size)
  }
}
