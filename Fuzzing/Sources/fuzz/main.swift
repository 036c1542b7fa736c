import Foundation
import OpenCocoaFoundation

/// What bytes from outside are taken for. Each reads them, and uses what came of it; whatever stops the program is a finding.
enum FuzzTarget: String, CaseIterable {
  case predicates, propertyLists, archives, models, compiledModels

  func run(_ data: Data) {
    switch self {
    case .predicates: PredicateTarget.run(data)
    case .propertyLists: PropertyListTarget.run(data)
    case .archives: ArchiveTarget.run(data)
    case .models: ModelTarget.run(data)
    case .compiledModels: CompiledModelTarget.run(data)
    }
  }

  /// Whether the bytes are mostly binary property lists, whose references hardly survive changes of bytes.
  var isPropertyList: Bool { self != .predicates && self != .models }
}

let environment = ProcessInfo.processInfo.environment
if let folder = environment["FUZZ_SEEDS"] {
  try Seeds(folder: folder, corpus: environment["FUZZ_CORPUS"]).write()
  exit(0)
}
guard let target = environment["FUZZ_TARGET"].flatMap(FuzzTarget.init) else {
  fatalError("FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")).")
}
/// The target of this process; set before the first input.
nonisolated(unsafe) let running = target
if let folder = environment["FUZZ_ARTIFACTS"] { StackOverflow.keepInput(in: folder) }

var count = CommandLine.argc
var arguments = CommandLine.unsafeArgv
exit(
  withUnsafeMutablePointer(to: &arguments) { arguments in
    runDriver(&count, arguments) { bytes, size in
      StackOverflow.bytes = bytes
      StackOverflow.count = size
      let data = bytes.map { Data(bytes: $0, count: size) } ?? Data()
      autoreleasepool { running.run(data) }
      return 0
    }
  })
