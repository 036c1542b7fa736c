import Foundation
import ModelCompilerCore

/// Writes the bodies of the `@NSManaged` declarations of a module.
struct AccessorsCommand {
  private var sources: ModuleSources
  private var output: String
  private var hasBundle = false

  init(_ arguments: inout Arguments) throws {
    sources = ModuleSources()
    var output: String?
    while let word = arguments.next() {
      switch word {
      case "--output": output = try arguments.value()
      case "--bundle": hasBundle = true
      default: try sources.read(word, &arguments)
      }
    }
    guard let output, !sources.module.isEmpty else { throw UsageError() }
    self.output = output
  }

  func run() throws {
    let files = try sources.files()
    let text = Generator.generate(
      module: sources.module, files: files, generated: sources.generated(), dependencies: sources.dependencies,
      hasBundle: hasBundle)
    try write(text, to: output)
  }
}
