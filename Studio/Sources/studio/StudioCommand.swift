import ArgumentParser
import Foundation
import StudioServer
import WebStore

/// `studio`: starts the server and prints its address.
@main
struct StudioCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract: "Shows stores, models, recordings and tests in the browser.",
    discussion: """
      Prints an address with a key in it, which changes with each start, and opens it where there is a browser. Nothing but the \
      files that are named here is opened; no byte of a store or of its folder is changed without --write.
      """)

  @Argument(help: "Stores (files, or URLs of PostgreSQL servers and of web services), models and recordings.")
  var files: [String] = []

  @Flag(help: "Let values be changed, objects be made and deleted, and stores be migrated.")
  var write = false

  @Option(help: "The address to listen at. Others than the loopback address can be reached by whoever has the key.")
  var host = "127.0.0.1"

  @Option(help: "The port; 0 for any that is free.")
  var port = 0

  @Flag(inversion: .prefixedNo, help: "Open the address in a browser.")
  var browser = true

  @Option(help: "The folder with the programs of the test picker; else the studio's own, where they are built, too.")
  var programs: String?

  func run() async throws {
    // Reading the model of a store would begin a recording if the variable is set, and might overwrite a recording that is
    // shown.
    unsetenv("COREDATA_INSTRUMENTS")
    // The class that asks web services, for the URLs among the stores.
    WebIncrementalStore.register()
    var settings = StudioSettings(runs: Self.cacheFolder.appendingPathComponent("runs"))
    settings.allowsWriting = write
    (settings.host, settings.port) = (host, port)
    settings.programs =
      programs.map { URL(fileURLWithPath: $0) } ?? Bundle.main.executableURL?.deletingLastPathComponent()
    for file in files { try settings.take(file) }
    let application = try StudioApplication(settings)
    let opens = browser
    let server = application.server { port in
      let address = application.address(port: port)
      print("Studio: \(address)")
      fflush(nil)
      if opens { BrowserLaunch.open(address) }
    }
    try await server.runService()
  }

  private static var cacheFolder: URL {
    let base =
      ProcessInfo.processInfo.environment["XDG_CACHE_HOME"].map { URL(fileURLWithPath: $0) }
      ?? FileManager.default.homeDirectoryForCurrentUser.appendingPathComponent(".cache")
    return base.appendingPathComponent("opencoredata/studio")
  }
}
