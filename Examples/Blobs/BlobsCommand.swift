import ArgumentParser
import CommandSupport
import CoreData
import ExampleSupport
import Foundation

/// `swift run Blobs`: shows what it costs to have pictures in four places.
@main struct BlobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "Blobs",
    abstract: "Keeps pictures in four ways, lists, changes, copies and deletes them.",
    discussion: """
      The pictures are made by the program. Each way has a store of its own, of about 600 kB for each picture, which is \
      removed before the next one is made.

      Core Data's launch arguments work, such as -com.apple.CoreData.SQLDebug 1.
      """)

  @Option(help: "How many pictures there are.")
  var count = 2000

  @Option(help: "About how many bytes the smallest picture has.")
  var smallest = 1000

  @Option(help: "About how many bytes the largest picture has.")
  var largest = 5_000_000

  @Option(
    help: "Where the pictures are: inline, external, entity or files. May be given several times; all without it.")
  var design: [Design] = []

  @Option(help: "Make the stores in this folder, in place of the system's for temporary files.")
  var folder: String?

  @Flag(help: "Print one JSON object and nothing else on standard output.")
  var json = false

  static func main() async { await main(LaunchArguments.removed(from: Array(CommandLine.arguments.dropFirst()))) }

  func validate() throws {
    if !(PictureList.screen...20_000).contains(count) {
      throw ValidationError("--count must be \(PictureList.screen) to 20000, not \(count).")
    }
    if !(200...50_000_000).contains(smallest) {
      throw ValidationError("--smallest must be 200 to 50000000, not \(smallest).")
    }
    if !(smallest...50_000_000).contains(largest) {
      throw ValidationError("--largest must be \(smallest) (--smallest) to 50000000, not \(largest).")
    }
    if folder?.isEmpty == true { throw ValidationError("--folder needs a path.") }
  }

  func run() async throws {
    let parent = folder.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let place = parent.appending(path: "Blobs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    let session = await Session(
      folder: place, count: count, maker: PictureMaker(sizes: smallest...largest),
      designs: design.isEmpty ? Design.allCases : design)
    let report = try await session.run()
    print(json ? try report.json() : report.text)
  }
}

extension Design: ExpressibleByArgument {}
