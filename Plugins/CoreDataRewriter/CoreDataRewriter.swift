import Foundation
import PackagePlugin

/// Compiles copies of a target's unlisted Swift files, without `@objc`, `#keyPath` and `#selector`.
///
/// The target lists one file in `sources`; all others that are neither listed nor excluded are rewritten.
@main struct CoreDataRewriter: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    // The other plugin, which says it too, may be one of a target without tests alone.
    if target.kind == .test { warnAboutReplacedDiscovery(in: context.package) }
    warnAboutShims(of: target, in: context.package)
    let files = target.sourceFiles.filter { $0.type == .unknown && $0.url.pathExtension == "swift" }.map(\.url)
    guard !files.isEmpty else {
      Diagnostics.warning(
        "\(target.name) has no file to rewrite: list one file in 'sources:', and the others are rewritten")
      return []
    }
    if let main = files.first(where: isMain), let listed = swiftFiles(of: target).first(where: isMain) {
      Diagnostics.error(
        "\(target.name) lists \(listed.path), and \(main.path) is to be rewritten: a module has one main.swift; list an "
          + "empty file of another name")
      return []
    }
    let folder = context.pluginWorkDirectoryURL
    let output = folder.appending(path: "\(target.moduleName)+Rewritten.swift")
    var arguments = ["rewrite", "--module", target.moduleName, "--output", output.path]
    var inputs = files
    var outputs = [output]
    // Where there is a model, the other plugin, or the manifest, gives the module a bundle with it.
    if hasModels(target) { arguments.append("--models") }
    if target.sourceFiles.contains(where: { $0.type == .resource }) { arguments.append("--resources") }
    if ProcessInfo.processInfo.environment["COREDATA_REWRITER_VERBOSE"] == "1" { arguments.append("--verbose") }
    for file in files {
      let copy = folder.appending(path: name(ofCopy: file))
      arguments += ["--copy", file.path, copy.path]
      outputs.append(copy)
    }
    for source in swiftFiles(of: target) {
      arguments += ["--source", source.path]
      inputs.append(source)
    }
    for model in models(of: target) {
      arguments += ["--model", model.path]
      inputs += contents(of: model)
    }
    for dependency in dependencies(of: target) {
      arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
      inputs += swiftFiles(of: dependency) + models(of: dependency).flatMap(contents)
    }
    return [
      .buildCommand(
        displayName: "Rewriting the sources of \(target.moduleName)",
        executable: try context.tool(named: "ModelCompiler").url, arguments: arguments, inputFiles: inputs,
        outputFiles: outputs)
    ]
  }

  /// Another name than the original's, which the compiler would take it for; main.swift has no choice.
  private func name(ofCopy file: URL) -> String {
    if isMain(file) { return "main.swift" }
    return file.deletingPathExtension().lastPathComponent + ".rewritten.swift"
  }

  private func isMain(_ file: URL) -> Bool { file.lastPathComponent == "main.swift" }

  private func swiftFiles(of target: SwiftSourceModuleTarget) -> [URL] {
    target.sourceFiles.filter { $0.type == .source }.map(\.url).filter { $0.pathExtension == "swift" }
  }

  private func models(of target: SwiftSourceModuleTarget) -> [URL] {
    target.sourceFiles.map(\.url).filter { ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension) }
  }

  /// Whether a model, or a mapping model, is among the target's files, in a listed folder too.
  private func hasModels(_ target: SwiftSourceModuleTarget) -> Bool {
    let extensions = ["xcdatamodeld", "xcdatamodel", "xcmappingmodel", "momd", "mom", "cdm"]
    return target.sourceFiles.contains { file in
      if extensions.contains(file.url.pathExtension) { return file.type == .resource || file.type == .unknown }
      guard file.type == .resource, file.url.hasDirectoryPath,
        let names = FileManager.default.enumerator(atPath: file.url.path)
      else { return false }
      return names.contains { name in extensions.contains { (name as? String)?.hasSuffix("." + $0) == true } }
    }
  }

  /// A model's folder and the files in it: a change of a file does not show in the folder.
  private func contents(of model: URL) -> [URL] {
    let files = FileManager.default.enumerator(at: model, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    return [model] + (files ?? []).filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
  }

  private func dependencies(of target: any Target) -> [SwiftSourceModuleTarget] {
    target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { !["CoreData", "OpenCoreData", "CocoaFoundation", "OpenCocoaFoundation"].contains($0.moduleName) }
  }
}
