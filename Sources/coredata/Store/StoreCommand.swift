import ArgumentParser

/// `coredata store`: inspects, checks and converts stores.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store",
    abstract: "Shows, verifies, queries, converts and copies stores.",
    discussion: """
      Works on SQLite stores of Apple's framework and of this one, and, but for verify, clean and import, on XML stores and \
      binary ones of this framework, whose objects are numbered anew in what is printed. A store is read by the copy of its model that it \
      keeps; one that has none needs --model. Unless a command says that it writes, not a byte of the store \
      or its folder is changed.

      Exits with 1 when a file cannot be used or problems are found, with 64 for wrong arguments.
      """,
    subcommands: [
      StoreInfo.self, StoreVerify.self, StoreQueryCommand.self, StoreExport.self, StoreImport.self,
      StoreCopy.self, StoreClean.self, StoreDestroy.self,
    ])
}
