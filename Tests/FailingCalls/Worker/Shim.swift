import Foundation

/// The preloaded library that makes calls fail.
struct Shim {
  private typealias Watch = @convention(c) (UnsafePointer<CChar>) -> Void
  private typealias Begin = @convention(c) (CInt, CLong, CLong, CInt, CInt) -> Void
  private typealias End = @convention(c) (UnsafeMutablePointer<CLong>) -> CLong
  private typealias OpenFile = @convention(c) () -> CInt

  private let beginCalls: Begin
  private let endCalls: End
  private let openFileCall: OpenFile
  private let folder: URL
  private let report: URL

  /// - Parameters:
  ///   - folder: the folder below which calls for files are counted and fail.
  ///   - report: the file in which programs write the numbers of their calls.
  init?(watching folder: URL, report: URL) {
    // With a null handle, all loaded libraries are searched.
    guard let watch = dlsym(nil, "failing_calls_watch"), let begin = dlsym(nil, "failing_calls_begin"),
      let end = dlsym(nil, "failing_calls_end"), let open = dlsym(nil, "failing_calls_open_file")
    else { return nil }
    beginCalls = unsafeBitCast(begin, to: Begin.self)
    endCalls = unsafeBitCast(end, to: End.self)
    openFileCall = unsafeBitCast(open, to: OpenFile.self)
    self.folder = folder
    self.report = report
    unsafeBitCast(watch, to: Watch.self)(folder.path)
  }

  /// The outcome of a run.
  struct Outcome {
    let error: (any Error)?
    /// The number of calls that have failed.
    let failed: Int
    /// The number of calls of each kind.
    let counts: [Int]
  }

  /// Runs `body` under a fault. `body` receives an environment under which another program has the same fault.
  func run(_ fault: Fault?, _ body: (_ environment: [String: String]) throws -> Void) -> Outcome {
    try? FileManager.default.removeItem(at: report)
    let environment = [
      "FAILING_CALLS": "\(fault?.orders ?? "0 0 0 0 0") \(folder.path)", "FAILING_CALLS_REPORT": report.path,
    ]
    beginCalls(
      CInt(fault?.kind.rawValue ?? 0), fault?.number ?? 0, fault?.mode.count ?? 0, fault?.mode.error ?? 0,
      fault?.mode.halves == true ? 1 : 0)
    var failure: (any Error)?
    do { try body(environment) } catch { failure = error }
    var counts = [CLong](repeating: 0, count: CallKind.allCases.count)
    var failed = endCalls(&counts)
    let told = (try? String(contentsOf: report, encoding: .utf8))?.split(separator: " ").compactMap { Int($0) } ?? []
    if told.count == counts.count + 1 {
      failed += told[0]
      counts = zip(counts, told.dropFirst()).map { $0 + $1 }
    }
    return Outcome(error: failure, failed: failed, counts: counts)
  }

  /// Returns a file below the folder that is still open after the work; nil if there is none. Waits for up to two minutes,
  /// because a queue may close files later.
  func openFile() -> String? {
    let limit = ContinuousClock.now + .seconds(120)
    while ContinuousClock.now < limit {
      if openFileCall() < 0 { return nil }
      usleep(5000)
    }
    return (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(openFileCall())")) ?? "?"
  }
}
