import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import OpenCoreData

/// `coredata model compile`: compiles a model to the files that applications contain.
struct ModelCompile: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compile",
    abstract: "Compiles a source model: .xcdatamodeld to .momd, .xcdatamodel to .mom.",
    discussion: """
      What is there already under the same name is replaced. The model in a store, and a contents file, become a .mom.

      With --module Shop a class of "Current Product Module", which a source model calls .Animal, becomes Shop.Animal, as \
      NSClassFromString knows it. Without it the name is Animal. A store has whole names already.
      """)

  @Argument(help: "The source model, or a store.")
  var file: String

  @Option(name: .shortAndLong, help: "The folder to write to; made if it is not there.")
  var output: String

  @Option(help: "The module that the model's classes of \"Current Product Module\" are in, such as Shop.")
  var module: String?

  func validate() throws {
    guard let module else { return }
    let isName =
      module.first.map { !$0.isNumber } == true && module.allSatisfy { $0 == "_" || $0.isLetter || $0.isNumber }
    if !isName {
      throw ValidationError("“\(module)” is no name of a module. Expected letters, digits and underscores.")
    }
  }

  func run() throws {
    let input = try ModelInput(file)
    let folder = ModelInput.url(output)
    guard input.form != .compiled else {
      throw ToolError("\(input.url.path) is compiled already. Expected a .xcdatamodeld, a .xcdatamodel, or a store.")
    }
    do {
      if input.form == .source, ["xcdatamodeld", "xcdatamodel"].contains(input.url.pathExtension) {
        return print(try CompiledModel.compile(input.url, into: folder, module: module).path)
      }
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appending(path: input.name + ".mom")
      let isSource = input.form == .source
      let model = isSource ? try NSManagedObjectModel(validatingContentsOf: input.url, module: module) : input.model
      try model.write(compiledModelTo: file)
      print(file.path)
    } catch {
      throw ToolError("Cannot compile \(input.url.path) into \(folder.path)", error)
    }
  }
}
