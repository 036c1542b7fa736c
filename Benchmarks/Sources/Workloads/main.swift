import Foundation

// workloads prepare|A0|A1|A2|A3|A5|A6|A7|B1|B2|B3|B4|C|D|predicates|accessors|reads|recording|insert <folder>;
// with a million photos: workloads prepare-1M|B1-1M|B2-1M|B3-1M|B4-1M|faults-1M|batch-1M|insert-1M|pending-1M|
// migrate-1M <folder>; with names of works behind these, their instructions are counted: see Counting
let workloads: [String: (Store) throws -> Void] = [
  "prepare": { try $0.prepare() }, "A0": runA0, "A1": runA1, "A2": runA2, "A3": runA3, "A5": runA5, "A6": runA6,
  "A7": runA7, "C": runC, "D": runD, "predicates": runPredicates, "accessors": runAccessors, "reads": runReads,
  "recording": runRecorded,
]
let workloadsOfPhotos: [String: (Store, Int) throws -> Void] = [
  "B1": runB1, "B2": runB2, "B3": runB3, "B4": runB4, "B1-1M": runB1, "B2-1M": runB2, "B3-1M": runB3, "B4-1M": runB4,
  "faults-1M": runFaults, "batch-1M": runBatch, "insert": runInsert, "insert-1M": runInsert, "pending-1M": runPending,
  "migrate-1M": runMigrate, "prepare-1M": { try $0.preparePhotos($1) },
]
let arguments = CommandLine.arguments
let name = arguments.count >= 3 ? arguments[1] : ""
let ofPhotos = workloadsOfPhotos[name].map { workload in
  { (store: Store) in try workload(store, name.hasSuffix("-1M") ? PhotoSet.large : PhotoSet.small) }
}
guard let workload = workloads[name] ?? ofPhotos else {
  let names = (workloads.keys.sorted() + workloadsOfPhotos.keys.sorted()).joined(separator: "|")
  FileHandle.standardError.write(Data("usage: workloads \(names) FOLDER [NAME...]\n".utf8))
  exit(64)
}
do {
  try workload(Store(folder: URL(fileURLWithPath: arguments[2], isDirectory: true)))
} catch {
  FileHandle.standardError.write(Data("workloads \(name): \(error)\n".utf8))
  exit(1)
}
