import Foundation
import ModelCompilerCore

/// Writes copies of source files that compile without the Objective-C runtime.
struct RewriteCommand {
  private var sources = ModuleSources()
  private var copies: [(source: String, output: String)] = []
  private var output: String?
  /// Whether the command reports what was changed.
  private var isVerbose = ProcessInfo.processInfo.environment["COREDATA_REWRITER_VERBOSE"] == "1"
  /// What the module has in a bundle of its own.
  private var bundle = ModuleBundle.none

  init(_ arguments: inout Arguments) throws {
    while let word = arguments.next() {
      switch word {
      case "--output": output = try arguments.value()
      case "--copy": copies.append((try arguments.value(), try arguments.value()))
      case "--verbose": isVerbose = true
      case "--resources": bundle = max(bundle, .resources)
      case "--models": bundle = .models
      default: try sources.read(word, &arguments)
      }
    }
  }

  func run() throws {
    guard let output, !sources.module.isEmpty, sources.paths.isEmpty else { throw UsageError() }
    let files = try copies.map { copy in
      guard let data = FileManager.default.contents(atPath: copy.source) else {
        throw FileError(text: "cannot read \(copy.source)")
      }
      return SourceFile(String(decoding: data, as: UTF8.self), path: copy.source)
    }
    let made = try Rewriter.rewrite(
      module: sources.module, files: files, others: sources.generated(), dependencies: sources.dependencies,
      bundle: bundle)
    for change in made.changes {
      if change.isLeft {
        FileHandle.standardError.write(Data("\(change)\n".utf8))
      } else if isVerbose {
        print(change)
      }
    }
    for (copy, text) in zip(copies, made.copies) { try write(text, to: copy.output) }
    try write(made.registration, to: output)
  }
}
