import ArgumentParser
import CoreData
import Foundation
import WebService

/// `WebService --model Books.xcdatamodeld --store Books.sqlite`: has a model's objects as JSON.
@main struct WebServiceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "WebService",
    abstract: "Serves the objects of a SQLite store over HTTP, as JSON.",
    discussion: """
      Prints its address, and serves until it is interrupted. It listens at the loopback address, where every user of this machine can
      read and write the objects: there are no accounts.
      """)

  @Option(help: "The model: .xcdatamodeld, .xcdatamodel, .momd or .mom.")
  var model: String

  @Option(help: "The SQLite store, which is made if it is not there.")
  var store: String

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port; 0 for one that is free.")
  var port = 8080

  @Option(help: "How many objects an answer has at most.")
  var pageSize = 500

  func validate() throws {
    if !(0...65_535).contains(port) { throw ValidationError("--port must be 0 to 65535, not \(port).") }
    if !(1...10_000).contains(pageSize) { throw ValidationError("--page-size must be 1 to 10000, not \(pageSize).") }
  }

  func run() async throws {
    guard let model = NSManagedObjectModel(contentsOf: URL(fileURLWithPath: model)) else {
      throw ValidationError("There is no model at \(self.model), or it cannot be read.")
    }
    var limits = ServedStore.Limits()
    limits.told.pageSize = pageSize
    let served = try ServedStore(model: model, at: URL(fileURLWithPath: store), limits: limits)
    let host = host
    try await WebServiceApplication(served, host: host, port: port).run(heedsSignals: true) { port in
      print("http://\(host):\(port)/")
      fflush(nil)
    }
    try served.close()
  }
}
