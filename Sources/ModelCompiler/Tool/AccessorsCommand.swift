import Foundation
import ModelCompilerCore

/// Writes the bodies of the `@NSManaged` declarations of a module.
struct AccessorsCommand {
  private var sources: ModuleSources
  private var output: String
  private var models: [String] = []

  init(_ arguments: inout Arguments) throws {
    sources = ModuleSources()
    var output: String?
    while let word = arguments.next() {
      switch word {
      case "--output": output = try arguments.value()
      case "--register": models.append(try arguments.value())
      default: try sources.read(word, &arguments)
      }
    }
    guard let output, !sources.module.isEmpty else { throw UsageError() }
    self.output = output
  }

  func run() throws {
    let files = try sources.files()
    let models = sources.readModels()
    let generated = sources.generated(by: models)
    for model in models {
      let warnings = MissingClasses.warnings(
        model.source, module: sources.module, files: files + generated, dependencies: sources.dependencies)
      for warning in warnings { FileHandle.standardError.write(Data("\(warning)\n".utf8)) }
    }
    let text = Generator.generate(
      module: sources.module, files: files, generated: generated, dependencies: sources.dependencies,
      models: self.models)
    try write(text, to: output)
  }
}
