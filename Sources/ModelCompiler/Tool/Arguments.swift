/// The words after the tool's name.
struct Arguments {
  private var words: ArraySlice<String>

  init(_ words: ArraySlice<String>) { self.words = words }

  mutating func next() -> String? { words.popFirst() }

  /// Returns the next word, which must exist.
  mutating func value() throws -> String {
    guard let word = next() else { throw UsageError() }
    return word
  }
}

struct UsageError: Error, CustomStringConvertible {
  var description: String {
    """
    usage: ModelCompiler accessors --module <name> --output <file> [--register <model>]... [<context>]... <source>...
           ModelCompiler model --module <name> --output <file> [--resource <folder>] [--compiled <folder>] <model>
           ModelCompiler mapping --output <file> <mapping model>
           ModelCompiler rewrite --module <name> --output <file> [--resources] [--models] [--verbose]
                                 [--copy <source> <output>]... [<context>]...
    context: --model <path>, --dependency <name> <folder>, --source <path>
    """
  }
}
