import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// One run, on the main thread, which draws the progress and never waits for the other threads.
@MainActor struct Session {
  let url: URL
  /// The number of objects to insert.
  let count: Int
  let bar = ProgressBar()

  init(url: URL, count: Int) {
    self.url = url
    self.count = count
  }

  /// Opens the store, then writes in one context and reads in another one until all objects are there.
  ///
  /// - Throws: The errors of opening, saving and counting.
  func run() async throws -> Report {
    let (container, opening) = try await open()
    let reader = Reader(container: container)
    let present = min(try await reader.count(), count)
    let reading = Task { try await reader.watch(until: count) { bar.show($0, of: count) } }
    let written: Writer.Result
    do {
      written = try await Writer(container: container).write(present..<count)
    } catch {
      // Without the cancellation, the reader would wait forever for objects that were not saved.
      reading.cancel()
      bar.finish()
      throw error
    }
    let seen = try await reading.value
    bar.finish()
    return Report(
      store: url.path, count: count, opening: opening,
      writing: .init(
        saves: count - present, elapsed: written.elapsed / .seconds(1), changesTold: written.changesTold),
      reading: .init(
        reads: seen.reads, longest: seen.longest / .seconds(1), fraction: min(1, Double(seen.found) / Double(count))))
  }

  /// Opens the store and uses one context on two threads; returns if the framework does not stop the program.
  ///
  /// - Returns: The number of objects in the end.
  /// - Throws: The errors of opening and counting.
  func runWrongly() async throws -> Int {
    let (container, _) = try await open()
    bar.begin("The wrong version: the writer uses the reader's context, on a thread of its own.")
    bar.finish()
    let found = try await WrongVersion(container: container).run(count) { bar.show($0, of: count) }
    bar.finish()
    return found
  }

  /// Builds the stack on another thread, while the main thread goes on drawing.
  private func open() async throws -> (NSPersistentContainer, Report.Opening) {
    let clock = ContinuousClock()
    let begin = clock.now
    let text = "Opening the store on another thread ..."
    bar.begin(text)
    async let opened = Stack.open(at: url)
    var turns = 0
    let drawing = Task {
      while !Task.isCancelled {
        turns += 1
        bar.redraw("\(text) \(["|", "/", "-", "\\"][turns / 20 % 4])")
        try await clock.sleep(for: .milliseconds(1))
      }
    }
    defer { drawing.cancel() }
    let container: NSPersistentContainer
    do {
      container = try await opened
    } catch {
      bar.finish(" failed")
      throw ToolError("Cannot open the store \(url.path)", error)
    }
    let elapsed = begin.duration(to: clock.now) / .seconds(1)
    bar.redraw(text)
    bar.finish(String(format: " done in %.1f ms; the main thread had %ld turns meanwhile", elapsed * 1000, turns))
    return (container, Report.Opening(elapsed: elapsed, mainThreadTurns: turns))
  }
}
