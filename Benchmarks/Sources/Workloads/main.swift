import Foundation

// workloads prepare|A0|A1|A2|A3|A5|A6|A7|B1|B2|B4|C|D|predicates|accessors|reads <folder>;
// with a million photos: workloads prepare-1M|B1-1M|B2-1M|B4-1M|faults-1M|pending-1M <folder>
let workloads: [String: (Store) throws -> Void] = [
  "prepare": { try $0.prepare() }, "A0": runA0, "A1": runA1, "A2": runA2, "A3": runA3, "A5": runA5, "A6": runA6,
  "A7": runA7, "C": runC, "predicates": runPredicates, "accessors": runAccessors,
  "reads": runReads, "D": runD,
  "B1": { try runB1($0, PhotoSet.small) }, "B2": { try runB2($0, PhotoSet.small) },
  "B4": { try runB4($0, PhotoSet.small) },
  "prepare-1M": { try $0.preparePhotos(PhotoSet.large) },
  "B1-1M": { try runB1($0, PhotoSet.large) }, "B2-1M": { try runB2($0, PhotoSet.large) },
  "B4-1M": { try runB4($0, PhotoSet.large) }, "faults-1M": { try runFaults($0, PhotoSet.large) },
  "pending-1M": { try runPending($0, PhotoSet.large) },
]
let arguments = CommandLine.arguments
guard arguments.count == 3, let workload = workloads[arguments[1]] else {
  FileHandle.standardError.write(
    Data("usage: workloads \(workloads.keys.sorted().joined(separator: "|")) FOLDER\n".utf8))
  exit(64)
}
do {
  try workload(Store(folder: URL(fileURLWithPath: arguments[2], isDirectory: true)))
} catch {
  FileHandle.standardError.write(Data("workloads \(arguments[1]): \(error)\n".utf8))
  exit(1)
}
