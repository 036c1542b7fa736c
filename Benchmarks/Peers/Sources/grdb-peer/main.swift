import Foundation

// The workloads in GRDB's records, over the stores that the C side has made: grdb-peer WORKLOAD FOLDER.
let workloads: [String: (Stores) -> () throws -> Void] = [
  "A1": Stores.runA1, "A2": Stores.runA2, "A3": Stores.runA3, "A5": Stores.runA5, "A6": Stores.runA6,
  "A7": Stores.runA7, "B1": Stores.runB1, "B2": Stores.runB2, "C": Stores.runC, "D": Stores.runD, "N1": Stores.runN1,
]
let arguments = CommandLine.arguments
guard arguments.count == 3, let workload = workloads[arguments[1]] else {
  FileHandle.standardError.write(
    Data("usage: grdb-peer \(workloads.keys.sorted().joined(separator: "|")) FOLDER\n".utf8))
  exit(64)
}
do {
  try workload(Stores(folder: URL(fileURLWithPath: arguments[2], isDirectory: true)))()
} catch {
  FileHandle.standardError.write(Data("grdb-peer \(arguments[1]): \(error)\n".utf8))
  exit(1)
}
