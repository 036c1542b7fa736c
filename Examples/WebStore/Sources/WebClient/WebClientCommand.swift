import ArgumentParser
import CoreData
import Foundation
import WebService

/// `swift run WebClient`: the same program over a file and over a service.
@main struct WebClientCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "WebClient",
    abstract: "Runs one program over a SQLite file and over a web service, and compares what each was asked.",
    discussion: """
      Without --store, it makes a file, starts a service of its own over another one, and runs over both.
      """)

  @Option(help: "A new SQLite file, or the address of a WebService whose store is empty, as http://127.0.0.1:8080.")
  var store: String?

  @Option(help: "How many authors there are; each has four books.")
  var authors = 250

  @Option(help: "Copy the objects of the service that --store names into this new SQLite file, and do nothing else.")
  var copy: String?

  @Option(help: "The model of the service, for --copy; without it, that of this program.")
  var model: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  func validate() throws {
    if !(250...10_000).contains(authors) { throw ValidationError("--authors must be 250 to 10000, not \(authors).") }
    if copy != nil, store?.hasPrefix("http") != true {
      throw ValidationError("--copy needs the address of a service in --store.")
    }
    if model != nil, copy == nil { throw ValidationError("--model is for --copy.") }
  }

  func run() async throws {
    if let copy, let service = store.flatMap({ URL(string: $0) }) { return try await copyStore(service, copy) }
    let report: Report
    if let store {
      let isWeb = store.hasPrefix("http://") || store.hasPrefix("https://")
      let url = isWeb ? URL(string: store) : URL(fileURLWithPath: store)
      guard let url else { throw ValidationError("“\(store)” is no URL.") }
      if !isWeb, FileManager.default.fileExists(atPath: url.path) {
        throw ValidationError("There is a file at \(url.path) already. Name a new one.")
      }
      report = try await Self.report([(isWeb ? "service" : "file", url)], authors)
    } else {
      let folder = FileManager.default.temporaryDirectory.appending(path: "WebClient-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let authors = authors
      report = try await OwnService.run(at: folder.appending(path: "Service.sqlite")) { address in
        try await Self.report([("file", folder.appending(path: "File.sqlite")), ("service", address)], authors)
      }
    }
    print(json ? try report.json() : report.text)
  }

  private func copyStore(_ service: URL, _ file: String) async throws {
    var chosen = Model.books
    if let model {
      guard let named = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: model)) else {
        throw ValidationError("There is no model at \(model), or it cannot be read.")
      }
      chosen = named
    }
    let of = chosen
    let counts = try await onThread {
      try StoreCopy.make(of: service, model: of, at: URL(fileURLWithPath: file)).map { "\($0.entity): \($0.count)" }
    }
    print(counts.joined(separator: "\n"))
  }

  static func report(_ places: [(name: String, url: URL)], _ authors: Int) async throws -> Report {
    var report = Report(stores: places.map(\.name), authors: authors, steps: [])
    for place in places {
      // A store waits for its service on the thread that asks it, which is none of Swift's tasks.
      let steps = try await onThread { try Session(place: place.url, authors: authors).run() }
      for (index, step) in steps.enumerated() {
        if report.steps.count <= index {
          report.steps.append(Report.Step(name: step.name, result: step.result, costs: []))
        }
        if report.steps[index].result != step.result {
          throw ValidationError("\(step.name): \(place.name) has \(step.result), not \(report.steps[index].result).")
        }
        report.steps[index].costs.append(step.cost)
      }
    }
    return report
  }
}

/// Runs work that waits, on a thread of its own: the queues' threads are few, and the service's contexts need them meanwhile.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// A service in this process, as long as some work takes.
enum OwnService {
  static func run<Result: Sendable>(
    at file: URL, model: NSManagedObjectModel = Model.books, limits: ServedStore.Limits = ServedStore.Limits(),
    port: Int = 0,
    _ body: @escaping @Sendable (URL) async throws -> Result
  ) async throws -> Result {
    let served = try ServedStore(model: model, at: file, limits: limits)
    let (ports, started) = AsyncStream<Int>.makeStream()
    let service = WebServiceApplication(served, port: port)
    let result = try await withThrowingTaskGroup(of: Result?.self) { group in
      group.addTask {
        defer { started.finish() }
        try await service.run { started.yield($0) }
        return nil
      }
      group.addTask {
        for await port in ports {
          guard let address = URL(string: "http://127.0.0.1:\(port)/") else { break }
          return try await body(address)
        }
        return nil
      }
      defer { group.cancelAll() }
      while let result = try await group.next() { if let result { return result } }
      throw CancellationError()
    }
    try served.close()
    return result
  }
}
