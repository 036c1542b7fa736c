import CoreData
import Foundation
import PerformanceTuning

/// SingleFault with and without a recording, and the same where each fault reads its own row alone and is an event in the
/// recording.
///
/// Both take turns in one process, so that whatever else the machine does meets them alike; each time is the one in the middle.
/// Starting and stopping is not counted.
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
