/// How often something happened, and how long it took, in seconds.
public struct Measure: Encodable, Sendable, Equatable {
  /// How many times it happened.
  public private(set) var count = 0
  /// The sum of the durations, in seconds.
  public private(set) var total = 0.0
  /// The longest duration, in seconds.
  public private(set) var worst = 0.0
  /// The number of rows, objects or members.
  public private(set) var rows = 0

  /// Creates an empty measure.
  public init() {}

  /// The mean duration, in seconds.
  public var mean: Double { count == 0 ? 0 : total / Double(count) }

  mutating func add(_ seconds: Double, rows: Int = 0) {
    count += 1
    total += seconds
    worst = max(worst, seconds)
    self.rows += rows
  }

  mutating func add(_ other: Measure) {
    count += other.count
    total += other.total
    worst = max(worst, other.worst)
    rows += other.rows
  }

  private enum Key: String, CodingKey { case count, total, mean, worst, rows }

  /// Encodes the measure, including the mean.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(count, forKey: .count)
    try values.encode(total, forKey: .total)
    try values.encode(mean, forKey: .mean)
    try values.encode(worst, forKey: .worst)
    try values.encode(rows, forKey: .rows)
  }
}
