import OpenCoreData

/// Finds the activities that lie within others: for example a prefetch in its fetch, or faults in a save.
struct ActivityNesting {
  /// Whether the activity lies in no other one, by the index of the activity.
  private(set) var isOutermost: [Bool]

  init(_ activities: [Recording.Activity]) {
    isOutermost = Array(repeating: true, count: activities.count)
    // The activities are sorted by their starts; if two start together, the longer one contains the other.
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
