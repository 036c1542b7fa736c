import Foundation

/// The contents of a recording, as `coredata instruments` and others read it.
///
/// Lists are in the order of their times, which are seconds since the recording began. What one thread did is nested by time: a
/// prefetch, and the statements of a fetch, lie in the fetch.
package struct Recording: Sendable {
  /// The call stack of an activity, as an index in `stacks`; nil if it is not known.
  package typealias StackID = Int

  /// A fetch, fault, save or what else `kind` says.
  package struct Activity: Sendable, Equatable {
    package typealias Kind = RecordedActivity.Kind

    package let kind: Kind
    package let start: Double
    /// In seconds.
    package let duration: Double
    package let thread: Int
    /// The entity of a fetch as it was asked for, or the entity of a fault; nil for a save.
    package let entity: String?
    /// The relationship that was a fault or is prefetched; of an object's fault the one that led to the object, if one did.
    package let relationship: String?
    /// The entity that has `relationship`: the one that declares it.
    package let owner: String?
    /// For a fetch or count the predicate without its constants (`PredicateShape`), nil without a predicate; for a prefetch
    /// the key path; for a batch request its class; for a migration the store's path.
    package let detail: String?
    /// For a fetch its sort descriptors, such as `likes DESC, date`, with the selector in parentheses if it is not
    /// `compare:`.
    package let sort: String?
    /// Results of a fetch or count; rows that a fault has read, its own among them; members; objects that a save inserted.
    package let rows: Int
    /// Objects that a save updated and deleted.
    package let updated: Int
    package let deleted: Int
    /// For a fetch of objects, the number of faults among them, and the number of these that have fired; nil if there were no
    /// faults, or if the program was killed before the numbers were known.
    package internal(set) var touches: Touches?
    package let stack: StackID?
    /// Whether it threw.
    package let failed: Bool
  }

  package struct Touches: Sendable, Equatable {
    package let faults: Int
    package let fired: Int
  }

  /// A statement, values left out.
  package struct Statement: Sendable, Equatable {
    package let text: String
    /// SQLite's plan at the time when the statement first ran, each step indented by its depth; empty for a statement that
    /// reads no rows. `ExplainedQuery` and `IndexAdvice` show what the plan lacks.
    package internal(set) var plan: [String]
    /// The path of the store that it first ran on.
    package internal(set) var store: String?
  }

  /// A statement that ran, from its beginning to its end: the time that was spent on its rows is part of it.
  package struct Execution: Sendable, Equatable {
    /// The statement's position in `statements`.
    package let statement: Int
    package let start: Double
    package let duration: Double
    package let rows: Int
    package let thread: Int
  }

  /// A function on the call stack of an activity.
  package struct Frame: Sendable, Hashable {
    package let address: UInt
    /// The function's name as people write it; nil where it is not known.
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

  /// Why a recording ended.
  package enum End: Int, Sendable {
    case stopped, programEnded, limitReached
  }

  /// The path of the program.
  package internal(set) var program = ""
  package internal(set) var processID = 0
  package internal(set) var started = Date(timeIntervalSince1970: 0)
  /// In seconds.
  package internal(set) var duration = 0.0
  /// Nil if the program was killed or still runs. The last second may be missing then.
  package internal(set) var end: End?
  package internal(set) var activities: [Activity] = []
  package internal(set) var executions: [Execution] = []
  package internal(set) var statements: [Statement] = []
  /// Callers, innermost first.
  package internal(set) var stacks: [[Frame]] = []
  /// Samples of memory: some each second, and one at the end.
  package internal(set) var memory: [MemorySample] = []
  /// Samples of the counters: one at the beginning, some each second, and one at the end.
  package internal(set) var counters: [CounterSample] = []

  /// The framework's counters from the beginning of the recording to its end. Fired faults and cache hits are only
  /// counted here: they are no activities.
  package var counted: CoreDataInstruments.Counters? {
    guard let first = counters.first, let last = counters.last else { return nil }
    return last.counters - first.counters
  }

  /// The functions that did something, innermost first, without the framework's own at the inner end.
  package func callers(_ stack: StackID?) -> [Frame] {
    guard let stack, stacks.indices.contains(stack) else { return [] }
    return Array(stacks[stack].drop { $0.isOfFramework || $0.symbol == nil && $0.image == nil })
  }

  /// The function that did something: the innermost of the program's own.
  package func caller(_ stack: StackID?) -> Frame? { callers(stack).first }

  /// The statements that ran in an activity, its own and those of activities that lie in it.
  package func executions(of activity: Activity) -> ArraySlice<Execution> {
    // Times are rounded when they are made seconds.
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

  /// Reads a recording, or as much of it as a killed program has written.
  /// - Throws: 260 if there is no such file, 259 for a file that is not a recording, or one of a later version.
  package init(contentsOf url: URL) throws {
    let data: Data
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
