import ModelCompilerCore

/// Writes a mapping model to the place where it becomes a resource.
struct MappingCommand {
  private var output: String?
  private var mapping: MappingFolder?

  init(_ arguments: inout Arguments) throws {
    while let word = arguments.next() {
      switch word {
      case "--output": output = try arguments.value()
      default: mapping = MappingFolder(path: word)
      }
    }
  }

  func run() throws {
    guard let output, let mapping else { throw UsageError() }
    try mapping.compile(to: output)
  }
}
