import Foundation

/// A random test whose cases have numbers, so that one can be repeated and a long run goes on where it was stopped.
///
/// `SOAK=20` gives twenty times as many cases. `SEED=7` draws the same cases again. With `FUZZ_STATE=folder` a run notes
/// in `folder/NAME` the seed and the case that it is about to try; the next run takes the seed and begins there, with the
/// case during which the one before ended, and has done when all cases of this `SOAK` have been tried once.
///
///     let campaign = FuzzCampaign("damaged metadata", cases: 200)
///     try campaign.run { seed in
///       var random = SeededGenerator(seed: seed)
///       ...
///     }
public struct FuzzCampaign {
  /// What it is called in the output and in `FUZZ_STATE`.
  public let name: String
  /// What all cases are drawn from.
  public let seed: UInt64
  /// The cases that are still to be tried.
  public let numbers: Range<Int>
  private let state: URL?

  /// A campaign of that many cases times `SOAK`; prints its seed and where it begins.
  /// - Parameter smallSeed: the seed of a run without `SOAK` and `SEED`, for a campaign whose longer runs still fail, or find
  ///   defects that are older than a change: the small one then tells of what gets worse.
  public init(_ name: String, cases: Int, smallSeed: UInt64? = nil) {
    var environment = ProcessInfo.processInfo.environment
    if let smallSeed, environment["SOAK"] == nil, environment["SEED"] == nil { environment["SEED"] = "\(smallSeed)" }
    self.init(name, cases: cases, environment: environment)
  }

  init(_ name: String, cases: Int, environment: [String: String]) {
    self.name = name
    let count = cases * max(1, environment["SOAK"].flatMap { Int($0) } ?? 1)
    state = environment["FUZZ_STATE"].map {
      URL(fileURLWithPath: $0, isDirectory: true).appendingPathComponent(name.replacingOccurrences(of: " ", with: "-"))
    }
    let noted = state.flatMap(Self.position)
    seed = noted?.seed ?? RunSeed.next(for: name, environment: environment)
    numbers = min(noted?.number ?? 0, count)..<count
    print("\(name): SEED=\(seed), cases \(numbers.lowerBound) to \(count)")
  }

  /// Tries one case after the other; `body` is given the case's own seed.
  ///
  /// - Throws: what `body` throws, after which the next run begins with the same case; or what keeps the state from being
  ///   written.
  public func run(_ body: (_ caseSeed: UInt64) throws -> Void) throws {
    for number in numbers {
      try note(number)
      try body(caseSeed(number))
    }
    try note(numbers.upperBound)
  }

  /// The seed of case `number`, which follows from the campaign's.
  public func caseSeed(_ number: Int) -> UInt64 {
    // The finalizer of splitmix64: neighbouring numbers give seeds that have nothing in common.
    var mixed = seed &+ UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  // MARK: - State

  private static func position(in file: URL) -> (seed: UInt64, number: Int)? {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let seed = UInt64(words[0]), let number = Int(words[1]), number >= 0 else { return nil }
    return (seed, number)
  }

  private func note(_ number: Int) throws {
    guard let state else { return }
    try FileManager.default.createDirectory(at: state.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("\(seed) \(number)\n".utf8).write(to: state)
  }
}
