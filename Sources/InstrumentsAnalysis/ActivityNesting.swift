import OpenCoreData

/// Which activities lie in others: a prefetch in its fetch, faults in a save.
struct ActivityNesting {
  /// Whether an activity lies in no other one, by the activity's place in the recording.
  private(set) var isOutermost: [Bool]

  init(_ activities: [Recording.Activity]) {
    isOutermost = Array(repeating: true, count: activities.count)
    // Activities are ordered by their starts. If two start at the same time, the longer one encloses the other.
    let order = activities.indices.sorted {
      (activities[$0].start, -activities[$0].duration) < (activities[$1].start, -activities[$1].duration)
    }
    var ends: [Int: Double] = [:]
    for place in order {
      let activity = activities[place]
      let end = activity.start + activity.duration
      if let around = ends[activity.thread], activity.start < around {
        isOutermost[place] = false
      } else {
        ends[activity.thread] = end
      }
    }
  }
}
