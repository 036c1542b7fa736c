import Foundation

/// The contents of a recording, as `coredata instruments` and other tools read it.
///
/// Lists are ordered by time, in seconds since the recording began. The activities of one thread are nested by time: a
/// prefetch, and the statements of a fetch, lie within the fetch.
package struct Recording: Sendable {
  /// The call stack of an activity, as an index in `stacks`; nil if it is not known.
  package typealias StackID = Int

  /// A fetch, a fault, a save, or another activity of that kind.
  package struct Activity: Sendable, Equatable {
    package typealias Kind = RecordedActivity.Kind

    package let kind: Kind
    package let start: Double
    /// In seconds.
    package let duration: Double
    package let thread: Int
    /// The entity that was fetched, or the entity of the fault; nil for a save.
    package let entity: String?
    /// The relationship that was a fault or is prefetched; for an object's fault, the one that led to the object, if any.
    package let relationship: String?
    /// The entity that declares `relationship`.
    package let owner: String?
    /// For a fetch or a count, the predicate without its values (`PredicateShape`), or nil if there is none; for a prefetch,
    /// the key path; for a batch request, its class; for a migration, the store's path.
    package let detail: String?
    /// For a fetch, its sort descriptors, such as `likes DESC, date`, with the selector in parentheses unless it is `compare:`.
    package let sort: String?
    /// The number of results of a fetch or count, of rows that a fault has read (including its own), of members, or of objects
    /// that a save inserted.
    package let rows: Int
    /// The numbers of objects that a save updated and deleted.
    package let updated: Int
    package let deleted: Int
    /// For a fetch of objects, how many of them were faults, and how many of these fired. Nil if none was a fault, or if the
    /// program was killed before the number was known.
    package internal(set) var touches: Touches?
    package let stack: StackID?
    /// Whether the activity threw an error.
    package let failed: Bool
  }

  package struct Touches: Sendable, Equatable {
    package let faults: Int
    package let fired: Int
  }

  /// A statement without its values.
  package struct Statement: Sendable, Equatable {
    package let text: String
    /// SQLite's plan when the statement first ran, with each step indented by its depth; empty for a statement that reads no
    /// rows. `ExplainedQuery` and `IndexAdvice` tell what a plan lacks.
    package internal(set) var plan: [String]
    /// The path of the store that the statement first ran on.
    package internal(set) var store: String?
  }

  /// A statement that ran, from its beginning to its end, including the time that was spent on its rows.
  package struct Execution: Sendable, Equatable {
    /// The index of the statement in `statements`.
    package let statement: Int
    package let start: Double
    package let duration: Double
    package let rows: Int
    package let thread: Int
  }

  /// A function on the call stack of an activity.
  package struct Frame: Sendable, Hashable {
    package let address: UInt
    /// The demangled name of the function; nil if it is not known.
    package let function: String?
    /// The mangled name.
    package let symbol: String?
    /// The last part of the path of the program or library.
    package let image: String?

    /// Whether the function belongs to this framework, and not to the program that uses it.
    package var isOfFramework: Bool {
      guard let symbol else { return false }
      return Self.own.contains { symbol.hasPrefix($0) } || function?.hasPrefix("reabstraction thunk") == true
    }

    private static let own = ["$s12OpenCoreData", "$s19OpenCocoaFoundation", "runtime_"]
  }

  package struct MemorySample: Sendable, Equatable {
    package let time: Double
    package let memory: CoreDataInstruments.Memory
  }

  package struct CounterSample: Sendable, Equatable {
    package let time: Double
    package let counters: CoreDataInstruments.Counters
  }

  /// How a recording ended.
  package enum End: Int, Sendable {
    case stopped, programEnded, limitReached
  }

  /// The path of the program.
  package internal(set) var program = ""
  package internal(set) var processID = 0
  package internal(set) var started = Date(timeIntervalSince1970: 0)
  /// In seconds.
  package internal(set) var duration = 0.0
  /// Nil if the program was killed or still runs; the last second may be missing then.
  package internal(set) var end: End?
  package internal(set) var activities: [Activity] = []
  package internal(set) var executions: [Execution] = []
  package internal(set) var statements: [Statement] = []
  /// The call stacks, with the innermost functions first.
  package internal(set) var stacks: [[Frame]] = []
  /// Samples several times a second, and at least one at the end.
  package internal(set) var memory: [MemorySample] = []
  /// Samples at the beginning, several times a second, and at the end.
  package internal(set) var counters: [CounterSample] = []

  /// The framework's counters from the beginning of the recording to its end. Fired faults and cache hits are only
  /// counted here: they are no activities.
  package var counted: CoreDataInstruments.Counters? {
    guard let first = counters.first, let last = counters.last else { return nil }
    return last.counters - first.counters
  }

  /// Returns the functions that caused an activity, innermost first, without the framework's own at the inner end.
  package func callers(_ stack: StackID?) -> [Frame] {
    guard let stack, stacks.indices.contains(stack) else { return [] }
    return Array(stacks[stack].drop { $0.isOfFramework || $0.symbol == nil && $0.image == nil })
  }

  /// Returns the function that caused an activity: the innermost of the program's own functions.
  package func caller(_ stack: StackID?) -> Frame? { callers(stack).first }

  /// Returns the statements that ran in an activity, including those of activities that lie in it.
  package func executions(of activity: Activity) -> ArraySlice<Execution> {
    // Times are rounded when they are converted to seconds.
    let slack = 1e-7
    var low = 0, high = executions.count
    while low < high {
      let middle = (low + high) / 2
      if executions[middle].start < activity.start - slack { low = middle + 1 } else { high = middle }
    }
    let end = activity.start + activity.duration + slack
    let within = executions[low...].prefix { $0.start <= end }
    if within.allSatisfy({ $0.thread == activity.thread && $0.start + $0.duration <= end }) { return within }
    return within.filter { $0.thread == activity.thread && $0.start + $0.duration <= end }[...]
  }

  /// Reads a complete recording, or the part that a killed program has written.
  /// - Throws: 260 if there is no such file, 259 if the file is no recording, or a recording of another version.
  package init(contentsOf url: URL) throws {
    let data: Data
    guard RegularFile.isThere(url) else { throw Self.missing(url) }
    do { data = try Data(contentsOf: url) } catch { throw Self.missing(url) }
    var decoder = RecordingDecoder()
    do throws(RecordingDecoder.Failure) { try decoder.read(data) } catch {
      throw Self.damaged(url, error)
    }
    self = decoder.result()
  }

  static func missing(_ url: URL) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadNoSuchFile.rawValue, "There is no recording at \(url.path).",
      [NSFilePathErrorKey: url.path])
  }

  static func damaged(_ url: URL, _ failure: RecordingDecoder.Failure) -> NSError {
    NSError(
      coreData: CocoaError.Code.fileReadCorruptFile.rawValue, "\(url.path) is not a recording: \(failure.text)",
      [NSFilePathErrorKey: url.path])
  }

  init() {}
}
