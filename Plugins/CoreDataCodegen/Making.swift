import Foundation
import PackagePlugin

/// A command with the files that it makes.
struct Making {
  var command: Command
  var outputs: [URL]

  init(_ name: String, _ tool: URL, _ arguments: [String], _ inputs: [URL], _ outputs: [URL]) {
    command = .buildCommand(
      displayName: name, executable: tool, arguments: arguments, inputFiles: inputs, outputFiles: outputs)
    self.outputs = outputs
  }
}
