import CRuntime
import Dispatch
import Foundation
import OpenCocoaFoundation
import Synchronization

/// Records in a file the activities of contexts and the statements that run; there is at most one recording at a time.
///
/// No other lock is acquired under the recorder's lock: code under it only puts an event into memory, or gives a piece to the
/// system.
package final class Recorder: Sendable {
  package static let shared = Recorder()

  private struct State: @unchecked Sendable {  // guarded by the recorder's lock
    var session: RecordingSession?
    var timer: (any DispatchSourceTimer)?
    var sessions: UInt32 = 0
  }

  private let state = Mutex(State())
  /// The number of the recording that runs; 0 if none runs.
  let sessionNumber = Atomic<UInt32>(0)

  // MARK: Start and stop

  /// - Throws: 640 and the other errors of opening the file, and 134080 if a recording is running already.
  func start(to path: String, limit: Int) throws {
    try DispatchStart.prepare()
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw Self.error(errno, path) }
    // Another program that was started with the same environment may be writing the file.
    guard flock(file, LOCK_EX | LOCK_NB) == 0, ftruncate(file, 0) == 0 || errno == EINVAL else {
      let error = Self.error(errno, path)
      close(file)
      throw error
    }
    let images = LoadedImage.all()
    let isStarted = state.withLock { state in
      if state.session != nil { return false }
      state.sessions += 1
      let session = RecordingSession(number: state.sessions, file: file, limit: limit)
      session.put(program: CommandLine.arguments.first ?? "")
      for image in images { session.put(image) }
      session.put(CoreDataInstruments.counters)
      session.flush()
      state.session = session
      sessionNumber.store(session.number, ordering: .releasing)
      let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
      timer.schedule(deadline: .now() + 0.2, repeating: 0.2, leeway: .milliseconds(20))
      timer.setEventHandler { Recorder.shared.flush() }
      timer.activate()
      state.timer = timer
      return true
    }
    guard isStarted else {
      close(file)
      throw NSError(coreData: NSPersistentStoreOpenError, "A recording is running already; stop that one first.")
    }
    _ = Self.stopsAtExit
    Watchers.set(.recorder, true)
  }

  /// Starts a recording that the environment asked for; if it cannot be started, tells so on the standard error.
  ///
  /// `%p` in the path is the process ID. If another program that was started with the same environment is writing that file,
  /// the process ID is added to the name.
  func start(asAskedAt asked: String) {
    let path = asked.replacingOccurrences(of: "%p", with: "\(getpid())")
    do {
      do {
        try start(to: path, limit: CoreDataInstruments.defaultRecordingLimit)
      } catch let error as NSError where Self.isInUse(error) {
        try start(to: "\(path).\(getpid())", limit: CoreDataInstruments.defaultRecordingLimit)
      }
    } catch {
      FrameworkLog.write(.error, "COREDATA_INSTRUMENTS: \((error as NSError).localizedDescription)")
    }
  }

  func stop(_ reason: Int = 0) {
    if state.withLock({ $0.session == nil }) { return }
    Watchers.set(.recorder, false)
    let memory = CoreDataInstruments.memory
    // Symbols are looked up after the last sample, because this may take a while and is no part of the recording.
    let addresses = state.withLock { state -> Set<UInt> in
      state.timer?.cancel()
      state.timer = nil
      state.session?.sample(memory)
      return state.session?.addresses ?? []
    }
    let symbols = LoadedImage.symbols(of: addresses, in: LoadedImage.all())
    let failure = state.withLock { state -> Int32 in
      guard let session = state.session else { return 0 }
      state.session = nil
      sessionNumber.store(0, ordering: .releasing)
      session.putRemainingTouches()
      for (address, symbol) in symbols { session.put(symbol: symbol, of: address) }
      session.end(reason)
      return session.failure
    }
    if failure != 0 {
      FrameworkLog.write(.error, "The recording could not be written: \(String(cString: strerror(failure)))")
    }
  }

  private static let stopsAtExit: Void = { _ = runtime_at_exit { Recorder.shared.stop(1) } }()

  private static func isInUse(_ error: NSError) -> Bool {
    (error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == Int(EWOULDBLOCK)
  }

  private static func error(_ code: Int32, _ path: String) -> NSError {
    let cocoa: CocoaError.Code =
      switch code {
      case ENOSPC, EDQUOT: .fileWriteOutOfSpace
      case EACCES, EPERM, EROFS: .fileWriteNoPermission
      case ENOENT: .fileNoSuchFile
      default: .fileWriteUnknown
      }
    let reason = code == EWOULDBLOCK ? "another recording is being written there" : String(cString: strerror(code))
    return NSError(
      coreData: cocoa.rawValue, "The recording cannot be written to \(path): \(reason).",
      [NSFilePathErrorKey: path, NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int(code))])
  }

  /// Writes the pending records to the file. Called several times a second.
  func flush() {
    let memory = CoreDataInstruments.sampledMemory
    let isFull = state.withLock { state in
      guard let session = state.session else { return false }
      session.sample(memory)
      return session.isFull
    }
    if isFull { stop(2) }
  }

  // MARK: Events

  private func withSession<Result>(_ body: (RecordingSession) -> Result) -> Result? {
    state.withLock { state in
      guard let session = state.session, !session.isFull else { return nil }
      return body(session)
    }
  }

  /// Returns the numbers of a statement's text and of the recording, and whether the text has got its number by this call.
  package func number(of sql: String) -> (session: UInt32, number: UInt32, isNew: Bool) {
    withSession { session in
      let (number, isNew) = session.statement(sql)
      return (session.number, number, isNew)
    } ?? (0, 0, false)
  }

  /// Records SQLite's query plan of a statement, and the store file that it is for.
  package func note(_ plan: [String], of statement: (session: UInt32, number: UInt32), _ path: String) {
    _ = withSession { if $0.number == statement.session { $0.put(plan, of: statement.number, path) } }
  }

  /// Records a statement that has run.
  package func note(_ number: UInt32, of session: UInt32, start: UInt64, end: UInt64, rows: Int) {
    _ = withSession { if $0.number == session { $0.put(statement: number, start: start, end: end, rows: rows) } }
  }

  /// Records an activity of a context.
  @inline(never)
  func note(_ activity: RecordedActivity, predicate: NSPredicate? = nil, sort: [NSSortDescriptor]? = nil) {
    let fault = runtime_thread_fault()
    let isFault = activity.kind == .objectFault || activity.kind == .relationshipFault
    let isFolded = isFault && fault.pointee.is_open != 0 && fault.pointee.has_statement != 0
    let statement = isFolded ? fault.pointee.statement : 0, rows = isFolded ? fault.pointee.rows : 0
    CallStack.withCurrent { frames, hash in
      _ = withSession { session in
        if isFolded, fault.pointee.recording != session.number { return }
        var activity = activity
        if let predicate { activity.detail = session.shape(of: predicate) }
        if let sort, !sort.isEmpty {
          activity.detail = RecordedSort.joined(activity.detail, RecordedSort.text(of: sort))
        }
        session.put(activity, frames, hash, (statement, rows))
      }
    }
  }

  /// Makes a counter for the faults of a fetch that has just been made; nil if nothing is recorded.
  func watchFaults(_ count: Int) -> FetchTouches? {
    guard let number = withSession({ $0.nextFetch() }) else { return nil }
    let counter = FetchTouches(number: number, faults: count)
    _ = withSession { $0.watch(counter) }
    return counter
  }

  /// Records the count of a fetch whose fault batch is gone.
  func note(_ counter: FetchTouches) {
    // Done even if the session is full, because the session must forget the counter before the counter is released.
    state.withLock { $0.session?.put(counter) }
  }
}
