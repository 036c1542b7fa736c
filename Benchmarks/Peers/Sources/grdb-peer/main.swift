import Foundation

// The workloads in GRDB, over the stores that the C side has made: grdb-peer records|by-hand WORKLOAD FOLDER.
let records: [String: (Stores) -> () throws -> Void] = [
  "A1": Stores.runA1, "A2": Stores.runA2, "A3": Stores.runA3, "A5": Stores.runA5, "A6": Stores.runA6,
  "A7": Stores.runA7, "B1": Stores.runB1, "B2": Stores.runB2, "C": Stores.runC, "D": Stores.runD, "N1": Stores.runN1,
  "pending": Stores.runNewcomer, "saving": Stores.runSaving, "open": Stores.runOpeningAgain,
  "open-first": Stores.runFirstOpening, "text": Stores.runText, "prepare": Stores.prepareOpening,
]
let byHand: [String: (Stores) -> () throws -> Void] = [
  "A1": Stores.runA1ByHand, "A2": Stores.runA2ByHand, "A3": Stores.runA3ByHand, "A5": Stores.runA5ByHand,
  "A6": Stores.runA6ByHand, "A7": Stores.runA7ByHand, "B1": Stores.runB1ByHand, "B2": Stores.runB2ByHand,
  "C": Stores.runCByHand, "D": Stores.runDByHand, "N1": Stores.runN1ByHand,
  "saving": Stores.runUpsertsByHand,
]
let arguments = CommandLine.arguments
guard arguments.count == 4,
  let workload = ["records": records, "by-hand": byHand][arguments[1]]?[arguments[2]]
else {
  FileHandle.standardError.write(
    Data("usage: grdb-peer records|by-hand \(records.keys.sorted().joined(separator: "|")) FOLDER\n".utf8))
  exit(64)
}
do {
  try workload(Stores(folder: URL(fileURLWithPath: arguments[3], isDirectory: true)))()
} catch {
  FileHandle.standardError.write(Data("grdb-peer \(arguments[1...2].joined(separator: " ")): \(error)\n".utf8))
  exit(1)
}
