import ArgumentParser
import CommandSupport
import CoreDataTools
import Foundation
import ModelCompilerCore

/// `coredata model generate`: writes the classes of a model.
struct ModelGenerate: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate", abstract: "Writes the classes of a model, one file for each entity that names a class.",
    discussion: """
      The files need no build plugin. They are made for all entities, whatever the model says about code generation, so \
      set that to Manual/None where the plugin is used too. A file that was not made by this command is not replaced.
      """)

  @Argument(help: "The model, or a store.")
  var file: String

  @Option(name: .shortAndLong, help: "The folder to write to; made if it is not there.")
  var output: String

  @Option(help: "The module that the classes will be part of; by default the name of the folder.")
  var module: String?

  @Flag(help: "Make numbers, truth values and dates scalars. Compiled models and stores do not say which are.")
  var scalar = false

  func run() throws {
    let input = try ModelInput(file)
    let folder = ModelInput.url(output)
    let source = try ModelSource(input, isScalar: scalar).sharingClasses()
    let files = try Self.files(of: source, name: input.name, module: module ?? folder.lastPathComponent, in: folder)
    guard !files.isEmpty else { throw ToolError("No entity of \(input.url.path) names a class.") }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (url, text) in files {
        try Data(text.utf8).write(to: url, options: .atomic)
        print(url.path)
      }
    } catch {
      throw ToolError("Cannot write the classes to \(folder.path)", error)
    }
  }

  /// Returns the files to write; throws if a class cannot be generated.
  private static func files(
    of source: ModelSource, name: String, module: String, in folder: URL
  ) throws -> [(url: URL, text: String)] {
    do {
      try source.check()
    } catch {
      throw ToolError(error.list.map(\.description).joined(separator: "\n"))
    }
    return try source.entities.filter { $0.generation == .definition }.map { entity in
      let text = ClassGenerator.generate(module: module, name: name, model: source, entity: entity.name)
      let url = folder.appending(path: "\(entity.className ?? entity.name).swift")
      if let there = try? String(contentsOf: url, encoding: .utf8), !there.hasPrefix("// Generated from the model ") {
        throw ToolError("\(url.path) is there already and was not made by this command. Name another folder.")
      }
      return (url, text)
    }
  }
}
