import Foundation
import PackagePlugin

@main struct CoreDataCodegen: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] { [] }
}
