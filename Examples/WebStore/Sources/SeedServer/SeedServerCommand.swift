import ArgumentParser
import Foundation

/// `SeedServer --folder server`: has the files of a folder, whole or in parts.
@main struct SeedServerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "SeedServer",
    abstract: "Serves the files of one folder over HTTP, whole or in parts: stores that programs fetch.",
    discussion: """
      Prints its address, and serves until it is interrupted or told to end (SIGTERM). Who reaches it can read every file in the folder,
      but for those in folders below it and those whose names begin with a dot.
      """)

  @Option(help: "The folder.")
  var folder: String

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port; 0 for one that is free.")
  var port = 8000

  func validate() throws {
    if !(0...65_535).contains(port) { throw ValidationError("--port must be 0 to 65535, not \(port).") }
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
      throw ValidationError("There is no folder at \(folder).")
    }
  }

  func run() async throws {
    let host = host
    let folder = SeedFolder(URL(fileURLWithPath: folder), host: host, port: port)
    try await folder.run(heedsSignals: true) { port in
      print("http://\(host):\(port)/")
      // Who has started the program reads the address from a pipe.
      fflush(nil)
    }
  }
}
