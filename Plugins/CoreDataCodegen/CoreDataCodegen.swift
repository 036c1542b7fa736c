import Foundation
import PackagePlugin

/// Gives the `@NSManaged` declarations of a target their bodies.
@main struct CoreDataCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let target = target as? SwiftSourceModuleTarget else { return [] }
    let sources = target.sourceFiles.map(\.url).filter { $0.pathExtension == "swift" }
    let output = context.pluginWorkDirectoryURL.appending(path: "\(target.moduleName)+ManagedAccessors.swift")
    var arguments = ["accessors", "--module", target.moduleName, "--output", output.path]
    var inputs = sources
    for dependency in dependencies(of: target) {
      arguments += ["--dependency", dependency.moduleName, dependency.directoryURL.path]
      inputs += dependency.sourceFiles.map(\.url).filter { $0.pathExtension == "swift" }
    }
    return [
      .buildCommand(
        displayName: "Core Data accessors for \(target.moduleName)",
        executable: try context.tool(named: "ModelCompiler").url, arguments: arguments + sources.map(\.path),
        inputFiles: inputs, outputFiles: [output])
    ]
  }

  /// Targets whose types the properties may have. The framework's own are known to the tool.
  private func dependencies(of target: any Target) -> [SwiftSourceModuleTarget] {
    target.recursiveTargetDependencies.compactMap { $0 as? SwiftSourceModuleTarget }
      .filter { !["CoreData", "OpenCoreData", "CocoaFoundation", "OpenCocoaFoundation"].contains($0.moduleName) }
  }
}
