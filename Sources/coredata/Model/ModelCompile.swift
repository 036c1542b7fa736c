import ArgumentParser
import CommandSupport
import Foundation
import OpenCoreData

/// `coredata model compile`: makes what applications ship.
struct ModelCompile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compiles a source model: .xcdatamodeld to .momd, .xcdatamodel to .mom.",
    discussion: """
      What is there already under the same name is replaced. The model in a store, and a contents file, become a .mom.
      """)

  @Argument(help: "The source model, or a store.")
  var file: String

  @Option(name: .shortAndLong, help: "The folder to write to; made if it is not there.")
  var output: String

  func run() throws {
    let input = try ModelInput(file)
    let folder = ModelInput.url(output)
    guard input.form != .compiled else {
      throw ToolError("\(input.url.path) is compiled already. Expected a .xcdatamodeld, a .xcdatamodel, or a store.")
    }
    do {
      if input.form == .source, ["xcdatamodeld", "xcdatamodel"].contains(input.url.pathExtension) {
        return print(try CompiledModel.compile(input.url, into: folder).path)
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: input.name + ".mom")
      try input.model.write(compiledModelTo: file)
      print(file.path)
    } catch {
      throw ToolError("Cannot compile \(input.url.path) into \(folder.path)", error)
    }
  }
}
