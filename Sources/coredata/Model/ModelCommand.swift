import ArgumentParser

/// `coredata model`: looks at models, compares and compiles them.
struct ModelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "model",
    abstract: "Shows, checks, compares, compiles and converts models.",
    discussion: """
      A model may be given as a source model (.xcdatamodeld, .xcdatamodel or its contents file), as a compiled one \
      (.momd, .mom), or as a store, which keeps a copy of its model. Of a folder of versions the current one is taken.

      Exits with 1 when a file cannot be used, with 64 for wrong arguments.
      """,
    subcommands: [
      ModelShow.self, ModelHashes.self, ModelCheck.self, ModelDiff.self, ModelCompile.self, ModelGenerate.self,
      ModelConvert.self,
    ])
}
