import Foundation
import ModelCompilerCore

/// Writes the classes of a model, and the model itself, as source and compiled, to the place where it becomes a
/// resource.
struct ModelCommand {
  private var module: String?
  private var output: String?
  private var resources: String?
  private var compiled: String?
  private var model: ModelFolder?

  init(_ arguments: inout Arguments) throws {
    while let word = arguments.next() {
      switch word {
      case "--module": module = try arguments.value()
      case "--output": output = try arguments.value()
      case "--resource": resources = try arguments.value()
      case "--compiled": compiled = try arguments.value()
      default: model = ModelFolder(path: word)
      }
    }
  }

  func run() throws {
    guard let module, let output, let model else { throw UsageError() }
    let source = try model.read()
    for warning in try model.binaryVersions() { FileHandle.standardError.write(Data("\(warning)\n".utf8)) }
    try write(ClassGenerator.generate(module: module, name: model.name, model: source), to: output)
    if let resources { try model.copy(into: resources, module: module) }
    if let compiled { try model.compile(into: compiled, module: module) }
  }
}
