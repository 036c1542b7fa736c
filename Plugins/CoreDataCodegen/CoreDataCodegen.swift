import Foundation
import PackagePlugin

/// Gives a target the classes of its models, the models and mapping models as resources, as source and compiled, and its
/// `@NSManaged` declarations their bodies.
@main struct CoreDataCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let tool = try context.tool(named: "ModelCompiler").url
    warnAboutDroppedTargets(beside: target, in: context.package)
    warnAboutReplacedDiscovery(in: context.package)
    let folder = context.pluginWorkDirectoryURL
    let models = models(of: target)
    for (name, same) in Dictionary(grouping: models, by: \.name) where same.count > 1 {
      Diagnostics.error("\(target.name) has \(same.count) models called \(name); a container could not tell them apart")
    }
    let resources =
      models.map { command(for: $0, of: target, tool: tool, in: folder) }
      + mappings(of: target, tool: tool, in: folder)
    let outputs = Set(resources.flatMap(\.outputs).map(\.lastPathComponent))
    deleteStaleResources(of: target, besides: outputs, in: folder, context.package)
    return (resources + [accessors(of: target, models: models, tool: tool, in: folder)]).map(\.command)
  }

  private struct Model {
    var url: URL
    /// Whether the manifest lists it among the resources.
    var isListed: Bool
    /// Whether the manifest lists a compiled one of the same name, which is not made a second time.
    var isCompiled: Bool
    var name: String { url.deletingPathExtension().lastPathComponent }
    /// With versions, or a single one.
    var compiledName: String { name + (url.pathExtension == "xcdatamodeld" ? ".momd" : ".mom") }
  }

  /// The models in a target's folder, those in listed resource folders included.
  private func models(of target: SwiftSourceModuleTarget) -> [Model] {
    let listed = listedNames(of: target)
    return files(of: target, where: isModel).map { file in
      var model = Model(url: file.url, isListed: file.isListed, isCompiled: false)
      model.isCompiled = listed.contains(model.compiledName)
      return model
    }
  }

  private func isModel(_ url: URL) -> Bool { ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) }

  /// What lies in a target's folder, or in a resource folder that the manifest lists.
  private func files(
    of target: SwiftSourceModuleTarget, where isWanted: (URL) -> Bool
  ) -> [(url: URL, isListed: Bool)] {
    target.sourceFiles.flatMap { file in
      if isWanted(file.url) { return [(file.url, file.type == .resource)] }
      return file.type == .resource ? contents(of: file.url, where: isWanted).map { ($0, true) } : []
    }
  }

  /// The names that resources have in the bundle already.
  private func listedNames(of target: SwiftSourceModuleTarget) -> Set<String> {
    Set(target.sourceFiles.filter { $0.type == .resource }.map(\.url.lastPathComponent))
  }

  /// Mapping models become what bundles hold, `.cdm`.
  private func mappings(of target: SwiftSourceModuleTarget, tool: URL, in folder: URL) -> [Making] {
    let listed = listedNames(of: target)
    var taken: Set<String> = []
    return files(of: target) { $0.pathExtension == "xcmappingmodel" }.compactMap { file in
      let name = file.url.deletingPathExtension().lastPathComponent
      if listed.contains(name + ".cdm") { return nil }
      guard taken.insert(name).inserted else {
        Diagnostics.error("\(target.name) has two mapping models called \(name); \(file.url.path) is the second")
        return nil
      }
      let output = folder.appending(path: name + ".cdm")
      return Making(
        "Core Data mapping model \(name)", tool, ["mapping", "--output", output.path, file.url.path], inputs(file.url),
        [output])
    }
  }

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

  private func command(for model: Model, of target: SwiftSourceModuleTarget, tool: URL, in folder: URL) -> Making {
    let source = folder.appending(path: "\(model.name)+CoreDataModel.swift")
    var arguments = ["model", "--module", target.moduleName, "--output", source.path]
    var outputs = [source]
    // What a command makes and no compiler takes becomes a resource.
    if !model.isListed {
      arguments += ["--resource", folder.path]
      outputs.append(folder.appending(path: model.url.lastPathComponent))
    }
    if !model.isCompiled {
      arguments += ["--compiled", folder.path]
      outputs.append(folder.appending(path: model.compiledName))
    }
    return Making(
      "Core Data model \(model.name)", tool, arguments + [model.url.path], inputs(model.url), outputs)
  }

  private func inputs(_ model: URL) -> [URL] {
    [model] + contents(of: model) { !isModel($0) }.filter { !$0.hasDirectoryPath }
  }

  private func accessors(
    of target: SwiftSourceModuleTarget, models: [Model], tool: URL, in folder: URL
  ) -> Making {
    let sources = swiftFiles(of: target)
    let output = folder.appending(path: "\(target.moduleName)+ManagedAccessors.swift")
    var arguments = ["accessors", "--module", target.moduleName, "--output", output.path]
    var inputs = sources + models.flatMap { self.inputs($0.url) }
    for model in models {
      let built = model.isCompiled ? model.url : folder.appending(path: model.compiledName)
      arguments += ["--model", model.url.path, "--register", built.path]
    }
    // Files that the manifest does not list may be those of the rewriting plugin: their types can be named.
    for file in target.sourceFiles where file.type == .unknown && file.url.pathExtension == "swift" {
      arguments += ["--source", file.url.path]
      inputs.append(file.url)
    }
    for dependency in dependencies(of: target) {
      arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
      inputs += swiftFiles(of: dependency) + self.models(of: dependency).flatMap { self.inputs($0.url) }
    }
    return Making(
      "Core Data accessors for \(target.moduleName)", tool, arguments + sources.map(\.path), inputs, [output])
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
