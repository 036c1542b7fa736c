import CoreData

@_spi(Store) @testable import OpenCoreData

/// A recording put together for a test. Time goes on by a millisecond with each activity.
struct MadeRecording {
  private(set) var recording = Recording()
  private var time = 0.0
  private var stacks: [[String]: Int] = [:]

  /// Lets time pass.
  mutating func pause(_ seconds: Double) { time += seconds }

  private mutating func stack(_ functions: [String]) -> Int {
    if let known = stacks[functions] { return known }
    recording.stacks.append(
      functions.map {
        Recording.Frame(address: UInt($0.hashValue.magnitude), function: $0, symbol: "$s4Main\($0)", image: "Main")
      })
    stacks[functions] = recording.stacks.count - 1
    return recording.stacks.count - 1
  }

  /// Adds an activity of the functions, innermost first.
  mutating func add(
    _ kind: Recording.Activity.Kind, _ functions: [String], entity: String? = nil, owner: String? = nil,
    relationship: String? = nil, where detail: String? = nil, by sort: String? = nil, rows: Int = 1,
    touches: Recording.Touches? = nil, thread: Int = 1, sql: String? = nil, plan: [String] = []
  ) {
    recording.activities.append(
      Recording.Activity(
        kind: kind, start: time, duration: 0.0005, thread: thread, entity: entity, relationship: relationship,
        owner: owner, detail: detail, sort: sort, rows: rows, updated: 0, deleted: 0, touches: touches,
        stack: stack(functions), failed: false))
    if let sql {
      let known = recording.statements.firstIndex { $0.text == sql }
      if known == nil { recording.statements.append(Recording.Statement(text: sql, plan: plan, store: "/none")) }
      recording.executions.append(
        Recording.Execution(
          statement: known ?? recording.statements.count - 1, start: time + 0.0001, duration: 0.0003, rows: rows,
          thread: thread))
    }
    time += 0.001
    recording.duration = time
  }
}
