import CoreData
import Foundation
import PerformanceTuning

/// Runs SingleFault with and without a recording. Then does the same when each fault reads only its own row, and is an event in
/// the recording.
///
/// Runs with and without a recording alternate in one process, so that other work of the machine affects both alike. The median
/// of the times is printed. Starting and stopping the recording is not measured.
func runRecorded(_ store: Store) throws {
  let stack = try store.open()
  let file = store.folder.appending(path: "recording.ocd")
  defer { try? FileManager.default.removeItem(at: file) }
  for (name, batch) in [("recording", stack.context.faultBatchSize), ("recording-one-by-one", 1)] {
    stack.context.faultBatchSize = batch
    var times: [Bool: [Double]] = [:]
    var answer: Int?
    for turn in 0..<14 {
      stack.context.reset()
      stack.container.persistentStoreCoordinator.emptyRowCache()
      let isRecorded = !turn.isMultiple(of: 2)
      if isRecorded { try CoreDataInstruments.startRecording(to: file) }
      let sample = try Sample(of: { try SingleFaultTest().read(in: stack.context).bytes })
      CoreDataInstruments.stopRecording()
      guard answer == nil || answer == sample.answer else {
        throw WorkloadError(description: "\(name): \(answer ?? 0), then \(sample.answer)")
      }
      answer = sample.answer
      times[isRecorded, default: []].append(sample.cpu)
    }
    for (isRecorded, all) in times {
      let median = all.sorted()[all.count / 2]
      print(
        "\(name)-\(isRecorded ? "on" : "off")", String(format: "%.6f %.6f", median, median), all.count, answer ?? 0,
        "0 0 0")
    }
  }
  try stack.close()
}
