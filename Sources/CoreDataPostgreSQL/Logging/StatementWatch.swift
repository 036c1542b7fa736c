#if PostgreSQL
  import CRuntime
  import Dispatch
  import Foundation
  @_spi(Store) import OpenCoreData

  /// Counts the statements of a store, and reports them to logs, recordings and collectors, as SQLite's stores do.
  ///
  /// The statements of a flight run one after the other, but are sent together: the time of each statement begins when
  /// the answer of the one before it came.
  final class StatementWatch: FlightObserver {
    private let place: String

    /// - Parameter place: the store's place, for recordings.
    init(place: String) { self.place = place }

    func begin(_ flight: Flight) -> (any FlightObservation)? {
      CoreDataInstruments.add(CoreDataInstruments.statements, flight.workCount)
      CoreDataInstruments.add(CoreDataInstruments.selects, flight.selectCount)
      if Watchers.areThere { return watched(flight) }
      return flight.selectCount > 0 ? RowCount.all : nil
    }

    private func watched(_ flight: Flight) -> any FlightObservation {
      let watchers = Watchers.current
      for case .statement(let request) in flight.steps {
        let (statement, values) = (request.statement, request.values)
        if watchers.contains(.collectors), statement.isWork {
          let part = ExplainedFlightPart(watch: ObjectIdentifier(self), statement: statement, values: values)
          StatementLog.record(statement.text, details: part)
        }
        if watchers.contains(.log) { Self.log(statement, values) }
      }
      return WatchedFlight(watchers, place)
    }

    private static func log(_ statement: ServerStatement, _ values: ServerValues) {
      let level = CoreDataInstruments.sqlDebugLevel
      FrameworkLog.write(.sql, statement.text)
      guard level >= 2 else { return }
      let isSecret = SecretAttributes.areValuesSecret(in: statement.text)
      for (index, text) in values.texts(statement.types).enumerated() {
        FrameworkLog.write(.details, "PostgreSQL bind[\(index)] = \(isSecret ? SecretAttributes.redacted : text)")
      }
      if statement.isSelect, statement.isWork {
        SQLDebugLog.noteSelect(statement.text, address: UInt(bitPattern: ObjectIdentifier(statement)))
      }
    }
  }

  /// Counts the rows that selects return.
  private final class RowCount: FlightObservation, Sendable {
    /// The instance for all flights: it stores nothing of a flight.
    static let all = RowCount()

    func end(_ statement: ServerStatement, rows: Int) {
      if statement.isWork { CoreDataInstruments.add(CoreDataInstruments.rows, rows) }
    }
  }

  /// Observes a flight that is logged or recorded.
  private final class WatchedFlight: FlightObservation {
    private let watchers: Watchers
    private let place: String
    private var ticks = runtime_ticks()
    private var nanoseconds = DispatchTime.now().uptimeNanoseconds

    init(_ watchers: Watchers, _ place: String) { (self.watchers, self.place) = (watchers, place) }

    func end(_ statement: ServerStatement, rows: Int) {
      if statement.isWork { CoreDataInstruments.add(CoreDataInstruments.rows, rows) }
      if watchers.contains(.recorder) { record(statement, rows) }
      if watchers.contains(.live), statement.isWork {
        LiveFeed.shared.noteStatement(statement.text, rows: rows, since: nanoseconds)
        if !watchers.contains(.log) { nanoseconds = DispatchTime.now().uptimeNanoseconds }
      }
      guard watchers.contains(.log), statement.isWork else { return }
      let seconds = SQLDebugLog.seconds(since: nanoseconds)
      nanoseconds = DispatchTime.now().uptimeNanoseconds
      FrameworkLog.write(
        .annotation, statement.isSelect ? "sql connection fetch time: \(seconds)" : "sql execution time: \(seconds)")
    }

    private func record(_ statement: ServerStatement, _ rows: Int) {
      let start = ticks
      ticks = runtime_ticks()
      let known = Recorder.shared.number(of: statement.text)
      if known.isNew { Recorder.shared.note([], of: (known.session, known.number), place) }
      let fault = runtime_thread_fault()
      if statement.isWork, fault.pointee.is_open != 0, fault.pointee.has_statement == 0 {
        fault.pointee.has_statement = 1
        fault.pointee.statement = known.number
        fault.pointee.recording = known.session
        fault.pointee.rows = rows
      } else if known.session != 0 {
        Recorder.shared.note(known.number, of: known.session, start: start, end: ticks, rows: rows)
      }
    }
  }
#endif
