import OpenCoreData

/// The activities over time: the time of a recording is divided into equal parts.
public struct Timeline: Encodable, Sendable {
  /// A group of activities over time.
  public struct Lane: Encodable, Sendable {
    /// The group.
    public let group: ActivityGroup
    /// The seconds that were spent in each part, summed over all threads.
    public fileprivate(set) var seconds: [Double]
    /// How many activities began in each part.
    public fileprivate(set) var counts: [Int]
  }

  /// The length of a part, in seconds.
  public let step: Double
  /// The lanes of the groups that have activities.
  public private(set) var lanes: [Lane]

  package init(_ recording: Recording, parts: Int) {
    let step = max(recording.duration, 1e-6) / Double(parts)
    self.step = step
    var lanes: [ActivityGroup: Lane] = [:]
    for activity in recording.activities {
      let first = min(max(Int(activity.start / step), 0), parts - 1)
      let end = activity.start + activity.duration
      let last = min(max(Int(end / step), first), parts - 1)
      let none = Lane(
        group: activity.group, seconds: Array(repeating: 0, count: parts), counts: Array(repeating: 0, count: parts))
      lanes[activity.group, default: none].counts[first] += 1
      for part in first...last {
        let begin = max(activity.start, Double(part) * step)
        lanes[activity.group]?.seconds[part] += max(min(end, Double(part + 1) * step) - begin, 0)
      }
    }
    self.lanes = ActivityGroup.allCases.compactMap { lanes[$0] }
  }
}
