import Foundation
import ModelCompilerCore

/// A module's files and models, and the folders of the modules on which it depends.
struct ModuleSources {
  private(set) var module = ""
  private(set) var paths: [String] = []
  private var models: [String] = []
  private var others: [String] = []
  private(set) var dependencies: [(name: String, load: () -> [ParsedFile])] = []

  /// Reads one argument of a command line.
  mutating func read(_ word: String, _ arguments: inout Arguments) throws {
    switch word {
    case "--module": module = try arguments.value()
    case "--model": models.append(try arguments.value())
    case "--dependency":
      let name = try arguments.value()
      let folder = try arguments.value()
      dependencies.append((name, { ModuleSources.load(folder, module: name) }))
    case "--source": others.append(try arguments.value())
    default: paths.append(word)
    }
  }

  func files() throws -> [ParsedFile] {
    try paths.map { path in
      guard let file = ModuleSources.parse(path) else { throw FileError(text: "cannot read \(path)") }
      return file
    }
  }

  /// Returns the other files of the module: the classes that its models generate, and files that another command
  /// handles.
  func generated() -> [ParsedFile] { generated(by: readModels()) }

  func generated(by models: [(name: String, source: ModelSource)]) -> [ParsedFile] {
    models.map { ClassGenerator.declarations(module: module, name: $0.name, model: $0.source) }
      + others.compactMap(ModuleSources.parse)
  }

  /// Returns the module's models. A model with errors is left out: the command that generates its classes reports them.
  func readModels() -> [(name: String, source: ModelSource)] { models.compactMap(ModuleSources.read) }

  private static func read(model path: String) -> (name: String, source: ModelSource)? {
    let folder = ModelFolder(path: path)
    guard let source = try? folder.read() else { return nil }
    return (folder.name, source)
  }

  /// Reads the Swift files and models of a folder and its subfolders.
  private static func load(_ folder: String, module: String) -> [ParsedFile] {
    let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    return names.sorted().compactMap { name in
      if name.hasSuffix(".swift") { return parse(folder + "/" + name) }
      // A version is a part of a model with versions, and no model of its own.
      guard ModelFolder.isModel(name), !name.contains(".xcdatamodeld/") else { return nil }
      guard let model = read(model: folder + "/" + name) else { return nil }
      return ClassGenerator.declarations(module: module, name: model.name, model: model.source)
    }
  }

  private static func parse(_ path: String) -> ParsedFile? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return Parser.parse(String(decoding: data, as: UTF8.self), path: path)
  }
}

struct FileError: Error, CustomStringConvertible {
  var text: String
  var description: String { text }
}

/// Writes a generated file only if its text has changed, because a file that is written again is compiled again.
func write(_ text: String, to path: String) throws {
  let data = Data(text.utf8)
  if FileManager.default.contents(atPath: path) == data { return }
  do {
    try data.write(to: URL(fileURLWithPath: path), options: .atomic)
  } catch {
    throw FileError(text: "cannot write \(path): \(error)")
  }
}
