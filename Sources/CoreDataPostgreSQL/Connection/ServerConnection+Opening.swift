#if PostgreSQL
  import CPostgreSQL
  import Foundation

  extension ServerConnection {
    /// Connects, and enters pipeline mode.
    static func open(_ place: ServerPlace, deadline: ContinuousClock.Instant?) throws -> OpaquePointer {
      guard let handle = start(try place.connectionWords()) else { throw ServerError(message: "there is no memory") }
      do {
        // libpq's own receiver would print notices, and a notice may contain values.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        // Adds the code of an error to the message. While connecting, the code can be found only there.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        try finish(handle, deadline: deadline)
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw ServerError.lost(handle) }
        return handle
      } catch {
        PQfinish(handle)
        throw error
      }
    }

    /// Starts connecting. Keywords and values are passed to libpq in arrays: in one text, a value could be read as
    /// further keywords.
    private static func start(_ words: [String: String]) -> OpaquePointer? {
      let words = words.sorted { $0.key < $1.key }
      var keys: [UnsafePointer<CChar>?] = words.map { UnsafePointer(strdup($0.key)) }
      var values: [UnsafePointer<CChar>?] = words.map { UnsafePointer(strdup($0.value)) }
      defer { for text in keys + values { free(UnsafeMutablePointer(mutating: text)) } }
      keys.append(nil)
      values.append(nil)
      return PQconnectStartParams(keys, values, 0)
    }

    /// Continues connecting until the session is open.
    private static func finish(_ handle: OpaquePointer, deadline: ContinuousClock.Instant?) throws {
      var next = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
      while next != PGRES_POLLING_OK {
        guard next != PGRES_POLLING_FAILED else { throw failure(of: handle) }
        let writes = next == PGRES_POLLING_WRITING
        let events = ServerSocket.wait(for: PQsocket(handle), reading: !writes, writing: writes, until: deadline)
        if events.isEmpty {
          throw ServerError(message: "the server did not answer in time", isConnectionLost: true, isTimedOut: true)
        }
        next = PQconnectPoll(handle)
      }
    }

    /// Returns why there is no connection. With several hosts the message has a line for each; the last code is used.
    private static func failure(of handle: OpaquePointer) -> ServerError {
      let lines = String(cString: PQerrorMessage(handle)).split(separator: "\n")
      // The format is that of "FATAL:  28P01: password authentication failed", where the words are in the server's
      // language.
      let codes = lines.compactMap { line in line.firstMatch(of: /:  ([0-9A-Z]{5}): (.*)/)?.output }
      guard let (_, code, message) = codes.last else {
        return ServerError(message: lines.first.map(String.init) ?? "no connection was made", isConnectionLost: true)
      }
      // The connection was refused by a server that is starting, stopping or full, or by a proxy before it: a later
      // attempt may succeed.
      let isAbsent = code.hasPrefix("57P") || code.hasPrefix("08")
      return ServerError(sqlState: String(code), message: String(message), isConnectionLost: isAbsent)
    }
  }
#endif
