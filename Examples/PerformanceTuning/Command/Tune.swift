import ArgumentParser
import CommandSupport
import CoreData
import Foundation
import PerformanceTuning

/// `coredata tune`, and the program `tune` that `./run` builds: loads the example's data and runs its ten tests.
package struct Tune: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "tune",
    abstract: "Loads many objects into a store and measures ten ways of reading and changing them.",
    discussion: """
      People, selfies and social networks, every selfie related to all people and all networks. Without --store \
      and --keep the store is a temporary file, removed in the end. A store that is already loaded is used as it is, \
      and a load that was interrupted goes on. With the URL of a PostgreSQL server (postgresql://user@host/database?schema=name) \
      the store is a schema there, which is made if it is missing, and stays.

      Exits with 1 when a test finds something wrong or the store cannot be used, with 64 for wrong arguments.
      """)

  @Option(name: .customLong("test"), help: "Run this test alone; may be given several times.")
  package var tests: [String] = []

  @Option(help: "How many people.")
  package var people = 500

  @Option(help: "How many selfies.")
  package var selfies = 500

  @Option(help: "How many social networks.")
  package var networks = 500

  @Option(help: "Load and keep the data in this SQLite file, or in this store of a PostgreSQL server.")
  package var store: String?

  @Flag(help: "Keep the store in the user's cache folder, so that the next run need not load it.")
  package var keep = false

  @Option(
    help: """
      How many objects are read when one of them fires as a fault; 1 reads each by itself, as Apple's framework does. \
      Without it, the framework decides.
      """)
  package var faultBatch: Int?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  package var json = false

  @Flag(help: "Let coredata attach and the studio look into the program while it runs.")
  package var listen = false

  package init() {}

  private var size: SampleSize { SampleSize(people: people, selfies: selfies, networks: networks) }

  package func validate() throws {
    for (option, count) in [("people", people), ("selfies", selfies), ("networks", networks)] where count < 1 {
      throw ValidationError("--\(option) must be 1 or more, not \(count).")
    }
    for name in tests where PerfTestSuite.named(name) == nil {
      let known = PerfTestSuite.all.map(\.name).joined(separator: ", ")
      throw ValidationError("There is no test named '\(name)'. The tests are: \(known).")
    }
    if let faultBatch, faultBatch < 1 { throw ValidationError("--fault-batch must be 1 or more, not \(faultBatch).") }
    if store?.isEmpty == true { throw ValidationError("--store needs the path of a file, or a URL.") }
  }

  package func run() throws {
    #if os(Linux)
      if listen {
        try CoreDataInstruments.listen(allowingReleaseBuilds: true)
        let process = ProcessInfo.processInfo.processIdentifier
        FileHandle.standardError.write(Data("Look into it with: coredata attach \(process)\n".utf8))
      }
    #endif
    let location = try TuneStoreLocation(path: store, keep: keep, size: size)
    defer { location.removeIfTemporary() }
    let progress = ProgressLine()
    let run = try TuneRun(location: location, size: size, progress: progress)
    let chosen = tests.isEmpty ? PerfTestSuite.all : tests.compactMap(PerfTestSuite.named)
    let report = try run.report(of: chosen, faultBatch: faultBatch) { record in
      if !json { print(TuneText.line(for: record)) }
    }
    print(json ? try report.json() : TuneText.summary(of: report))
    if let failures = report.failures {
      FileHandle.standardError.write(Data("\(failures)\n".utf8))
      throw ExitCode.failure
    }
  }
}
