import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata model hashes`: prints the hashes by which stores tell models apart.
struct ModelHashes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hashes", abstract: "Prints the version hash of each entity, and the model's digest and checksum.",
    discussion: """
      They are those of VersionInfo.plist in a .momd and of Z_METADATA in a store. Of a store what its metadata state \
      is printed.
      """)

  @Argument(help: "The model, or a store.")
  var file: String

  @Flag(help: "Print hashes in base 64, not in hexadecimal digits.")
  var base64 = false

  @Flag(help: "Print JSON, with both.")
  var json = false

  func run() throws {
    let report = try ModelHashReport(file)
    if json { return print(try JSONEncoder.tool.text(of: report)) }
    var table = TextTable(columns: [.init("Entity"), .init("Version hash")])
    table.rows = report.entities.map { [$0.name, base64 ? $0.base64 : $0.hex] }
    print(table.text)
    print("")
    if let checksum = report.checksum { print("Checksum  \(checksum)") }
    if let digest = report.digest { print("Digest    \(digest)") }
  }
}
