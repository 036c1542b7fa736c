#if PostgreSQL
  import CPostgreSQL
  import Foundation
  import Synchronization

  /// One connection. One thread at a time may use it; `cancel` may be called from any thread.
  ///
  /// It is in libpq's pipeline mode except during COPY. libpq never waits for the network: the code that runs statements
  /// waits by itself, so that deadlines hold.
  final class ServerConnection: @unchecked Sendable {  // see above
    let place: ServerPlace
    /// Properties of the place that are needed for each statement.
    let usesNamedStatements: Bool
    let localSettings: LocalSettings?
    /// libpq's connection; nil after it was closed.
    private(set) var handle: OpaquePointer?
    let canceller: ServerCanceller
    /// The process that has connected. A child of `fork` has the socket, too, and must not use it.
    private let process: Int
    /// Whether the connection was lost.
    private var isLost = false
    @exclusivity(unchecked) var prepared = PreparedStatements()
    /// Memory for the places of a statement's values.
    @exclusivity(unchecked) var arguments = ServerArguments()
    /// Called with the server's notices: severity and primary message, without values of rows.
    var onNotice: (@Sendable (String) -> Void)?
    /// Whether the last flight has committed a transaction that no synchronous standby has confirmed, since the wait for it
    /// was stopped: the server answers COMMIT then, and a warning. If the standby takes over, the transaction is lost.
    var isUnconfirmed = false

    /// The observer that is told what the connection runs.
    var observer: (any FlightObserver)?

    /// The number of flights that this connection has sent; each takes a round trip.
    private(set) var flightCount = 0
    /// The number of statements in these flights, and of copies.
    private(set) var statementCount = 0
    private static let flights = Atomic<Int>(0), statements = Atomic<Int>(0)
    /// The number of flights that were sent in this process.
    static var flightCount: Int { flights.load(ordering: .relaxed) }
    /// The number of statements that were run in this process.
    static var statementCount: Int { statements.load(ordering: .relaxed) }

    enum TransactionStatus { case idle, active, inTransaction, failed, unknown }

    /// Connects.
    /// - Parameter deadline: the time until which the server must have answered; nil waits as long as the network does.
    init(_ place: ServerPlace, deadline: ContinuousClock.Instant? = nil) throws {
      let handle = try Self.open(place, deadline: deadline)
      self.place = place
      (usesNamedStatements, localSettings) = (place.usesNamedStatements, place.localSettings)
      self.handle = handle
      process = ForkedProcess.number
      canceller = ServerCanceller(handle)
      PQsetNoticeReceiver(
        handle,
        { connection, result in
          guard let connection else { return }
          Unmanaged<ServerConnection>.fromOpaque(connection)._withUnsafeGuaranteedRef { $0.notice(result) }
        }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { close() }

    /// False after the connection was lost or closed, and in a child of the process that has connected.
    var isUsable: Bool { !isLost && handle != nil && PQstatus(handle) == CONNECTION_OK && !isInChild }

    private var isInChild: Bool { ForkedProcess.number != process }

    /// Whether the server has closed the connection while nothing ran.
    var isClosedByServer: Bool { ServerSocket.isClosed(socketDescriptor) }

    var transactionStatus: TransactionStatus {
      guard isUsable else { return .unknown }
      return switch PQtransactionStatus(handle) {
      case PQTRANS_IDLE: .idle
      case PQTRANS_ACTIVE: .active
      case PQTRANS_INTRANS: .inTransaction
      case PQTRANS_INERROR: .failed
      default: .unknown
      }
    }

    /// The version of the server as a number, such as 150018 for 15.18; 0 after the connection was closed.
    var serverVersion: Int { handle.map { Int(PQserverVersion($0)) } ?? 0 }

    /// A setting that the server reports by itself, such as `server_encoding`.
    func parameter(_ name: String) -> String? {
      guard let handle, let value = PQparameterStatus(handle, name) else { return nil }
      return String(cString: value)
    }

    /// -1 after the connection was closed.
    var socketDescriptor: Int32 { handle.map { PQsocket($0) } ?? -1 }

    /// The number of the server's process, as in `pg_stat_activity`; 0 after the connection was closed.
    var serverProcess: Int32 { handle.map { PQbackendPID($0) } ?? 0 }

    /// Stops the statement that runs now, which gets the error 57014. May be called from any thread, and waits for the
    /// network.
    func cancel() { canceller.send() }

    /// Ends the session. In a child of the process that has connected it only closes the child's socket, since the session is
    /// the parent's.
    func close() {
      guard let handle else { return }
      self.handle = nil
      if isInChild {
        _ = Glibc.close(PQsocket(handle))
      } else {
        PQfinish(handle)
      }
    }

    // MARK: For the files beside this one

    /// Returns libpq's connection if it can be used.
    func usableHandle() throws -> OpaquePointer {
      guard isUsable, let handle else { throw ServerError.lost(isInChild ? nil : handle) }
      return handle
    }

    /// Notes that the connection cannot be used any more.
    func lose() {
      isLost = true
      close()
    }

    func count(statements: Int) {
      flightCount += 1
      statementCount += statements
      Self.flights.add(1, ordering: .relaxed)
      Self.statements.add(statements, ordering: .relaxed)
    }

    private func notice(_ result: OpaquePointer?) {
      guard let result else { return }
      func field(_ code: UInt8) -> String? { PQresultErrorField(result, Int32(code)).map { String(cString: $0) } }
      // The message is in the server's language, and its code is that of every warning. Only the place in the server's source
      // tells this one from the warning of a trigger.
      if field(UInt8(ascii: "R")) == "SyncRepWaitForLSN" { isUnconfirmed = true }
      onNotice?("\(field(UInt8(ascii: "V")) ?? "NOTICE"): \(field(UInt8(ascii: "M")) ?? "")")
    }
  }
#endif
