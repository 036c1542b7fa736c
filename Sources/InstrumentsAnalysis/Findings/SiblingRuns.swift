import OpenCoreData

/// Consecutive activities of one kind that the same functions caused: a loop.
struct SiblingRun {
  /// The properties that siblings have in common.
  struct Key: Hashable {
    let thread: Int
    let path: Int
    let kind: Recording.Activity.Kind
    let entity: String?
    let owner: String?
    let relationship: String?
    let detail: String?
    let sort: String?
  }

  let key: Key
  /// The index of the first activity in the recording.
  let first: Int
  fileprivate(set) var measure = Measure()
  /// Fetches, by their indexes in the recording, that may enclose the loop: a function of the loop's stack made each of
  /// them once before the loop, and not again.
  fileprivate(set) var around: Set<Int>
  fileprivate var end: Double
}

/// Finds loops in a recording.
///
/// In a recording, a loop shows in that the same functions did the same work repeatedly, while an enclosing fetch was
/// made once. A pause ends a run: requests that a person causes one click after the other are not a loop, nor are the
/// requests to a server.
struct SiblingRuns {
  private(set) var runs: [SiblingRun] = []

  private struct Fetch {
    let shape: SiblingRun.Key
    let place: Int
    let functions: Set<CallPaths.Function>
  }

  private struct OfThread {
    var open: [SiblingRun.Key: SiblingRun] = [:]
    /// The latest fetch of each shape.
    var fetches: [Fetch] = []
    /// The fetches that share a function with a path, by the number of the path; emptied by the next fetch.
    var around: [Int: Set<Int>] = [:]
  }

  /// The longest pause within a run, in seconds: first if a fetch encloses the loop, then if none does.
  private static let pauses = (1.0, 0.05)
  private static let remembered = 16

  init(_ analysis: RecordingAnalysis) {
    let recording = analysis.recording
    var threads: [Int: OfThread] = [:]
    for (place, activity) in recording.activities.enumerated() where analysis.nesting.isOutermost[place] {
      guard [.fetches, .counts, .objectFaults, .relationshipFaults].contains(activity.group), !activity.failed else {
        continue
      }
      let key = SiblingRun.Key(
        thread: activity.thread, path: analysis.paths.number(activity.stack), kind: activity.kind,
        entity: activity.entity, owner: activity.owner, relationship: activity.relationship, detail: activity.detail,
        sort: activity.sort)
      let functions = analysis.paths.path(activity.stack)
      note(place, activity, key, functions, &threads[activity.thread, default: OfThread()])
    }
    for thread in threads.values { runs += thread.open.values }
    runs.sort { $0.first < $1.first }
  }

  private mutating func note(
    _ place: Int, _ activity: Recording.Activity, _ key: SiblingRun.Key, _ functions: [CallPaths.Function],
    _ thread: inout OfThread
  ) {
    var around = thread.around[key.path] ?? Self.around(functions, thread.fetches)
    thread.around[key.path] = around
    // A fetch does not enclose itself.
    if let own = thread.fetches.first(where: { $0.shape == key }) { around.remove(own.place) }
    if var run = thread.open[key] {
      let common = run.around.intersection(around)
      if activity.start - run.end < (around.isEmpty ? Self.pauses.1 : Self.pauses.0),
        common.isEmpty == run.around.isEmpty
      {
        run.around = common
        run.add(activity)
        thread.open[key] = run
      } else {
        runs.append(run)
        thread.open[key] = nil
      }
    }
    if thread.open[key] == nil {
      var run = SiblingRun(key: key, first: place, around: around, end: 0)
      run.add(activity)
      thread.open[key] = run
    }
    if activity.group == .fetches, activity.rows > 1 {
      thread.fetches.removeAll { $0.shape == key }
      if thread.fetches.count == Self.remembered { thread.fetches.removeFirst() }
      thread.fetches.append(Fetch(shape: key, place: place, functions: Set(functions)))
      thread.around = [:]
    }
  }

  private static func around(_ functions: [CallPaths.Function], _ fetches: [Fetch]) -> Set<Int> {
    Set(fetches.filter { fetch in functions.contains(where: fetch.functions.contains) }.map(\.place))
  }
}

extension SiblingRun {
  fileprivate mutating func add(_ activity: Recording.Activity) {
    measure.add(activity.duration, rows: activity.rows)
    end = activity.start + activity.duration
  }
}
