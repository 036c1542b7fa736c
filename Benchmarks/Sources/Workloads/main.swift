import Foundation

// workloads prepare|A0|A1|A2|A3|A5|A6|A7|C|predicates|accessors|reads <folder>
let workloads: [String: (Store) throws -> Void] = [
  "prepare": { try $0.prepare() }, "A0": runA0, "A1": runA1, "A2": runA2, "A3": runA3, "A5": runA5, "A6": runA6,
  "A7": runA7, "C": runC, "predicates": runPredicates, "accessors": runAccessors,
  "reads": runReads,
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
