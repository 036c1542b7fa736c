import CoreDataTools
import Foundation
import InstrumentsAnalysis
import Testing

@_spi(Store) @testable import OpenCoreData

/// Sums, the call tree and the timeline of a recording.
@Suite struct SumTests {
  /// Two fetches, one with a prefetch in it, and a fault.
  private func recording() -> Recording {
    var recording = Recording()
    recording.stacks = [["f", "run"], ["g", "run"]].map { names in
      names.enumerated().map { place, name in
        Recording.Frame(
          address: UInt(place), function: "Main.\(name)() -> ()", symbol: "$s4Main\(name)", image: "Main")
      }
    }
    func add(_ kind: Recording.Activity.Kind, _ start: Double, _ duration: Double, stack: Int, rows: Int) {
      recording.activities.append(
        Recording.Activity(
          kind: kind, start: start, duration: duration, thread: 1, entity: "Photo", relationship: nil, owner: nil,
          detail: nil, sort: nil, rows: rows, updated: 0, deleted: 0, touches: nil, stack: stack, failed: false))
    }
    add(.fetch, 0, 4, stack: 0, rows: 10)
    add(.prefetch, 1, 2, stack: 0, rows: 30)
    add(.fetch, 5, 1, stack: 1, rows: 20)
    add(.objectFault, 9, 1, stack: 1, rows: 1)
    recording.duration = 10
    return recording
  }

  @Test func groupsHaveCountTotalMeanAndWorst() {
    let groups = RecordingAnalysis(recording()).groups
    #expect(groups.map(\.group) == [.fetches, .objectFaults, .prefetches])
    let fetches = groups[0].measure
    #expect(fetches.count == 2 && fetches.total == 5 && fetches.mean == 2.5 && fetches.worst == 4 && fetches.rows == 30)
  }

  @Test func whatLiesInSomethingElseCountsOnceInTheTree() {
    let analysis = RecordingAnalysis(recording())
    #expect(analysis.busySeconds == 6)
    let tree = analysis.callTree
    #expect(tree.roots.map(\.name) == ["run()"] && tree.roots[0].measure.total == 6)
    #expect(tree.branching.map(\.name) == ["f()", "g()"] && tree.branching.map(\.measure.total) == [4, 2])
    let leaves = tree.branching[1].children
    #expect(Set(leaves.map(\.name)) == ["fetch of Photo", "fault of Photo"] && leaves.allSatisfy { $0.isActivity })
  }

  @Test func theTimelineDividesTime() {
    let timeline = Timeline(recording(), parts: 10)
    #expect(timeline.step == 1 && timeline.lanes.map(\.group) == [.fetches, .objectFaults, .prefetches])
    #expect(timeline.lanes[0].seconds == [1, 1, 1, 1, 0, 1, 0, 0, 0, 0])
    #expect(timeline.lanes[0].counts == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0])
    #expect(timeline.lanes[1].seconds[9] == 1 && timeline.lanes[1].counts[9] == 1)
  }

  /// The one sample of a short run is taken when its objects are gone.
  @Test func whatWasNotMeasuredIsNotZero() throws {
    func memory(_ samples: (objects: Int, rows: Int)...) throws -> RecordingReport.Memory {
      var recording = recording()
      recording.memory = samples.enumerated().map { place, sample in
        Recording.MemorySample(
          time: Double(place),
          memory: .init(
            objects: sample.objects, faults: sample.objects / 2, rowCacheBytes: sample.rows, residentBytes: 5 << 20,
            peakResidentBytes: 6 << 20))
      }
      let report = RecordingReport(
        RecordingAnalysis(recording), URL(fileURLWithPath: "/none"), RecordingReport.Parts(rawValue: 0), limit: 1)
      return try #require(report.summary.memory)
    }
    let short = try memory((0, 0))
    #expect(short.objects == nil && short.faults == nil && short.rowCacheBytes == nil)
    #expect(short.peakResidentBytes == 6 << 20)
    let text = String(decoding: try JSONEncoder().encode(short), as: UTF8.self)
    #expect(text == #"{"peakResidentBytes":6291456}"#)
    // One that was stopped while it had objects, and one that had none all the time, were measured.
    for memory in [try memory((8, 100)), try memory((8, 50), (0, 100))] {
      #expect(memory.objects == 8 && memory.faults == 4 && memory.rowCacheBytes == 100)
    }
    let idle = try memory((0, 0), (0, 0))
    #expect(idle.objects == 0 && idle.faults == 0 && idle.rowCacheBytes == 0)
  }

  @Test func nothingIsNothing() {
    let analysis = RecordingAnalysis(Recording())
    #expect(analysis.groups.isEmpty && analysis.findings.isEmpty && analysis.callTree.branching.isEmpty)
    #expect(analysis.statements.isEmpty && Timeline(Recording(), parts: 3).lanes.isEmpty)
  }
}
