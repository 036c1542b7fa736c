import CommandSupport
import CoreData
import Foundation
import PerformanceTuning

/// Opens the store, loads the data if the store lacks any, and runs tests.
struct TuneRun {
  private let stack: PerformanceStack
  private let load: TuneReport.Load
  private let progress: ProgressLine

  /// Opens the store and loads the data.
  ///
  /// - Throws: A ``ToolError`` when the file cannot be opened, holds something else, or cannot be loaded.
  init(location: TuneStoreLocation, size: SampleSize, progress: ProgressLine) throws {
    self.progress = progress
    let start = Date()
    let clock = ContinuousClock()
    let begin = clock.now
    let stack = try Self.open(location)
    let loads = try Self.mustLoad(stack, size: size, path: location.url.shown)
    if loads { try Self.fill(stack, size: size, path: location.url.shown, progress: progress) }
    self.stack = stack
    load = TuneReport.Load(
      store: location.url.shown, loaded: loads, people: size.people, selfies: size.selfies, networks: size.networks,
      joinRows: size.joinRows, start: start, stop: Date(), elapsed: begin.duration(to: clock.now) / .seconds(1))
  }

  /// Runs tests, one after the other.
  ///
  /// - Parameters:
  ///   - faultBatch: The number of objects that are read when a fault fires; nil for the framework's default.
  ///   - each: Called after each test.
  func report(
    of tests: [any PerfTest], faultBatch: Int? = nil, each: (PerfTestRecord) -> Void
  ) throws -> TuneReport {
    if let faultBatch { stack.context.faultBatchSize = faultBatch }
    var records: [(PerfTestRecord, CoreDataInstruments.Memory)] = []
    for (index, test) in tests.enumerated() {
      progress.show("Running \(test.name) (\(index + 1) of \(tests.count))")
      let (record, memory) = MemoryWatch.watch { test.record(in: stack.context) }
      progress.clear()
      each(record)
      records.append((record, memory))
    }
    try stack.close()
    return TuneReport(load: load, records: records)
  }

  private static func open(_ location: TuneStoreLocation) throws -> PerformanceStack {
    do {
      return try PerformanceStack(url: location.url, type: location.type)
    } catch {
      throw ToolError("Cannot open the store \(location.url.shown)", error)
    }
  }

  private static func mustLoad(_ stack: PerformanceStack, size: SampleSize, path: String) throws -> Bool {
    let found: SampleSize
    do {
      found = try stack.loadedSize()
    } catch {
      throw ToolError("Cannot read the store \(path)", error)
    }
    guard found.isPart(of: size) else {
      throw ToolError(
        """
        \(path) holds \(found.people) people, \(found.selfies) selfies and \(found.networks) social networks, \
        not \(size.people), \(size.selfies) and \(size.networks). Ask for those numbers, or name another file.
        """)
    }
    return found != size
  }

  private static func fill(
    _ stack: PerformanceStack, size: SampleSize, path: String, progress: ProgressLine
  ) throws {
    do {
      try SampleDataLoader(size: size).load(into: stack.context) { step in
        progress.show("Loading \(step.what)", step.done, of: step.total)
      }
    } catch {
      throw ToolError("Cannot load the data into \(path)", error)
    }
    progress.finish()
    stack.context.reset()
  }
}
