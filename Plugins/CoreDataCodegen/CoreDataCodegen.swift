import Foundation
import PackagePlugin

/// Gives a target the classes of its models, the models as resources, and its `@NSManaged` declarations their bodies.
@main struct CoreDataCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let tool = try context.tool(named: "ModelCompiler").url
    let models = models(of: target)
    for (name, same) in Dictionary(grouping: models, by: \.name) where same.count > 1 {
      Diagnostics.error("\(target.name) has \(same.count) models called \(name); a container could not tell them apart")
    }
    return models.map {
      command(for: $0, of: target, tool: tool, in: context.pluginWorkDirectoryURL)
    } + [accessors(of: target, models: models, tool: tool, in: context.pluginWorkDirectoryURL)]
  }

  private struct Model {
    var url: URL
    /// Whether the manifest lists it among the resources.
    var isListed: Bool
    var name: String { url.deletingPathExtension().lastPathComponent }
  }

  /// The models in a target's folder, those in listed resource folders included.
  private func models(of target: SwiftSourceModuleTarget) -> [Model] {
    target.sourceFiles.flatMap { file in
      if isModel(file.url) { return [Model(url: file.url, isListed: file.type == .resource)] }
      return file.type == .resource ? contents(of: file.url, where: isModel).map { Model(url: $0, isListed: true) } : []
    }
  }

  private func isModel(_ url: URL) -> Bool { ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) }

  /// What lies in a folder and below it; a model's versions are part of it.
  private func contents(of folder: URL, where isWanted: (URL) -> Bool) -> [URL] {
    guard let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
    var result: [URL] = []
    for case let url as URL in files where isWanted(url) {
      result.append(url)
      files.skipDescendants()
    }
    return result.sorted { $0.path < $1.path }
  }

  private func command(for model: Model, of target: SwiftSourceModuleTarget, tool: URL, in folder: URL) -> Command {
    let source = folder.appending(path: "\(model.name)+CoreDataModel.swift")
    var arguments = ["model", "--module", target.moduleName, "--output", source.path]
    var outputs = [source]
    // What a command makes and no compiler takes becomes a resource.
    if !model.isListed {
      arguments += ["--resource", folder.path]
      outputs.append(folder.appending(path: model.url.lastPathComponent))
    }
    return .buildCommand(
      displayName: "Core Data model \(model.name)", executable: tool, arguments: arguments + [model.url.path],
      inputFiles: inputs(model.url), outputFiles: outputs)
  }

  private func inputs(_ model: URL) -> [URL] {
    [model] + contents(of: model) { !isModel($0) }.filter { !$0.hasDirectoryPath }
  }

  private func accessors(
    of target: SwiftSourceModuleTarget, models: [Model], tool: URL, in folder: URL
  ) -> Command {
    let sources = swiftFiles(of: target)
    let output = folder.appending(path: "\(target.moduleName)+ManagedAccessors.swift")
    var arguments = ["accessors", "--module", target.moduleName, "--output", output.path]
    var inputs = sources + models.flatMap { self.inputs($0.url) }
    // A target with a model has a bundle, which SwiftPM makes for its resources.
    if !models.isEmpty { arguments.append("--bundle") }
    for model in models { arguments += ["--model", model.url.path] }
    // Files that the manifest does not list may be those of the rewriting plugin: their types can be named.
    for file in target.sourceFiles where file.type == .unknown && file.url.pathExtension == "swift" {
      arguments += ["--source", file.url.path]
      inputs.append(file.url)
    }
    for dependency in dependencies(of: target) {
      arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
      inputs += swiftFiles(of: dependency) + self.models(of: dependency).flatMap { self.inputs($0.url) }
    }
    return .buildCommand(
      displayName: "Core Data accessors for \(target.moduleName)", executable: tool,
      arguments: arguments + sources.map(\.path), inputFiles: inputs, outputFiles: [output])
  }

  private func swiftFiles(of target: SwiftSourceModuleTarget) -> [URL] {
    target.sourceFiles.filter { $0.type == .source }.map(\.url).filter { $0.pathExtension == "swift" }
  }

  /// Targets whose types the properties may have. The framework's own are known to the tool.
  private func dependencies(of target: any Target) -> [SwiftSourceModuleTarget] {
    target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { !["CoreData", "OpenCoreData", "CocoaFoundation", "OpenCocoaFoundation"].contains($0.moduleName) }
  }
}
