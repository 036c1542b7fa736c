import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata model convert`: gives a model of Xcode 3 the XML that the build plugin and later versions of Xcode read.
struct ModelConvert: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Writes the XML of a model of Xcode 3, which has a binary file instead.",
    discussion: """
      Xcode wrote a binary file "elements" before version 4. This writes "contents", as later versions have it, into each \
      .xcdatamodel that lacks it, and prints the files; "elements" stays, and can be deleted. Stores fit as before: the \
      version hashes are the same.
      """)

  @Argument(help: "The .xcdatamodeld or .xcdatamodel.")
  var file: String

  func run() throws {
    let url = ModelInput.url(file)
    guard ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) else {
      throw ToolError("\(url.path) is no source model. Expected a .xcdatamodeld or a .xcdatamodel.")
    }
    do {
      for version in try ModelFile.versions(of: url).sorted(by: { $0.path < $1.path }) {
        if let written = try ModelFile.convertElements(in: version) { print(written.path) }
      }
    } catch {
      throw ToolError("Cannot convert \(url.path)", error)
    }
  }
}
