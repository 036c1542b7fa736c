/// The measurements of one side with the same name.
struct Samples {
  private var measurements: [Measurement] = []
  private(set) var answer: Int?

  /// Adds a measurement, whose answer must be the same as that of the earlier ones.
  mutating func add(_ measurement: Measurement) throws {
    guard answer == nil || answer == measurement.answer else {
      throw CompareError("\(measurement.name): the answers differ from run to run")
    }
    answer = measurement.answer
    measurements.append(measurement)
  }

  /// The median of the CPU times, in milliseconds.
  var median: Double { median(\.cpu) }

  /// Medians of memory: the memory left by the work, the most that it added, and the most of the whole process.
  var kilobytesKept: Double { median { Double($0.kilobytesKept) } }
  var kilobytesAtMost: Double { median { Double($0.kilobytesAtMost) } }
  var peak: Double { median { Double($0.peak) } }

  private func median(_ value: (Measurement) -> Double) -> Double {
    let sorted = measurements.map(value).sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
  }
}

/// The measurements of both sides.
struct Results {
  private(set) var baseline: [String: Samples] = [:]
  private(set) var framework: [String: Samples] = [:]
  /// The measured peers, in the order of their columns, and their samples by name.
  private(set) var peers: [(name: String, samples: [String: Samples])] = []

  /// Adds the measurements of a run of the baseline.
  mutating func add(baseline measurements: [Measurement]) throws {
    for measurement in measurements { try baseline[measurement.name, default: Samples()].add(measurement) }
  }

  /// Adds the measurements of a run of a peer.
  mutating func add(_ peer: Peer, _ measurements: [Measurement]) throws {
    if !peers.contains(where: { $0.name == peer.name }) { peers.append((peer.name, [:])) }
    for index in peers.indices where peers[index].name == peer.name {
      for measurement in measurements {
        try peers[index].samples[measurement.name, default: Samples()].add(measurement)
      }
    }
  }

  /// Adds the measurements of a run of the framework's workloads.
  mutating func add(framework measurements: [Measurement]) throws {
    for measurement in measurements { try framework[measurement.name, default: Samples()].add(measurement) }
  }
}
