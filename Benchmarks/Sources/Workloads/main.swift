import Foundation

// workloads WORKLOAD FOLDER [NAME...]: workloads with names that end with 1M take a million photos, which prepare-1M loads. If
// names of works follow the folder, the instructions of these works are counted: see Counting.
let workloads: [String: (Store) throws -> Void] = [
  "prepare": { try $0.prepare() }, "A0": runA0, "A1": runA1, "A2": runA2, "A3": runA3, "A5": runA5, "A6": runA6,
  "A7": runA7, "C": runC, "D": runD, "predicates": runPredicates, "accessors": runAccessors, "reads": runReads,
  "recording": runRecorded, "N1": runN1, "merge": runMerge, "scattered": runScattered, "registered": runRegistered,
  "ordered": runOrdered, "batch-fault": runBatchFault, "await": runAwaited, "open": runOpening, "minimal": runMinimal,
  "growth-fetch-1M": runFetchGrowth, "growth-registered-1M": runRegisteredGrowth, "growth-insert-1M": runInsertGrowth,
  "growth-delete-1M": runDeleteGrowth, "growth-merge-1M": runMergeGrowth,
  "growth-merge-inserts-1M": runMergeInsertsGrowth, "starving": runStarving,
  "pending": runPendingFetches, "results": runResults, "results-1M": runLargeResults, "text": runText,
  "saving": runSaving, "open-first": runFirstOpening, "results-batched": runBatchedResults,
  "results-batched-1M": runLargeBatchedResults, "results-paged": runPagedResults,
  "results-paged-1M": runLargePagedResults,
]
let workloadsOfPhotos: [String: (Store, Int) throws -> Void] = [
  "B1": runB1, "B2": runB2, "B3": runB3, "B4": runB4, "B1-1M": runB1, "B2-1M": runB2, "B3-1M": runB3, "B4-1M": runB4,
  "faults-1M": runFaults, "batch-1M": runBatch, "insert": runInsert, "insert-1M": runInsert, "pending-1M": runPending,
  "migrate-1M": runMigrate, "walk-pages-1M": runPageWalk, "walk-offset-1M": runOffsetWalk,
  "walk-keyed-1M": runKeyedWalk, "walk-insert-1M": runInsertWalk,
  "prepare-1M": {
    try $0.preparePhotos($1)
    try $0.prepareTracks($1)
  },
]
let arguments = CommandLine.arguments
let name = arguments.count >= 3 ? arguments[1] : ""
let ofPhotos = workloadsOfPhotos[name].map { workload in
  { (store: Store) in try workload(store, name.hasSuffix("-1M") ? PhotoSet.large : PhotoSet.small) }
}
#if POSTGRESQL
  do {
    // For a server, the second argument is the URL in place of the folder, and the name contains the number of rows.
    if arguments.count == 3, try runServerWorkload(name, arguments[2]) { exit(0) }
  } catch {
    FileHandle.standardError.write(Data("workloads \(name): \(error)\n".utf8))
    exit(1)
  }
#endif
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
