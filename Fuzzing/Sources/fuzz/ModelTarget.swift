import CoreData
import Foundation
@testable import ModelCompilerCore
@testable import OpenCoreData

/// The XML of source models, for the framework and for the build plugins, and that of mapping models.
enum ModelTarget {
  static func run(_ data: Data) {
    framework(data)
    plugin(data)
    _ = try? SourceMappingReader.read(data)
  }

  private static func framework(_ data: Data) {
    guard let tree = try? XMLElementTree.parse(data) else { return }
    let model = NSManagedObjectModel()
    guard var reader = try? SourceModelReader(root: tree, module: "App"), (try? reader.read(into: model)) != nil else {
      return
    }
    use(model)
  }

  /// What a program asks of any model; a compiled one of it can be read.
  static func use(_ model: NSManagedObjectModel) {
    _ = (model.entityVersionHashesByName, model.description)
    guard let compiled = try? ModelEncoder.encode(model, as: .compiled) else { return }
    _ = try? ModelDecoder.decode(compiled, into: NSManagedObjectModel())
  }

  private static func plugin(_ data: Data) {
    if let hashes = VersionHashes(data) { _ = hashes.checksum }
    _ = CurrentModule.qualify(data, with: "App")
    guard let source = try? ModelReader.read(data, path: "contents"), (try? source.check()) != nil else { return }
    _ = ClassGenerator.generate(module: "App", name: "Model", model: source)
    _ = ClassGenerator.declarations(module: "App", name: "Model", model: source)
  }
}
