#if PostgreSQL
  import CPostgreSQL
  import Foundation

  extension ServerConnection {
    /// Connects, and enters pipeline mode.
    static func open(_ place: ServerPlace, deadline: ContinuousClock.Instant?) throws -> OpaquePointer {
      let (handle, words) = try start(place)
      do {
        // libpq's own receiver would print notices, and a notice may contain values.
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        // Adds the code of an error to the message. While connecting, the code can be found only there.
        PQsetErrorVerbosity(handle, PQERRORS_VERBOSE)
        try finish(handle, words, deadline: deadline)
        PQsetErrorVerbosity(handle, PQERRORS_DEFAULT)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else { throw ServerError.lost(handle) }
        return handle
      } catch {
        PQfinish(handle)
        throw error
      }
    }

    /// Starts connecting. If libpq's other sources, the environment and service files, lead to another machine though the URL
    /// does not say so, it starts again, so that this machine must prove its name: nothing was sent to it yet.
    private static func start(_ place: ServerPlace) throws -> (OpaquePointer, [String: String]) {
      var words = try place.connectionWords()
      guard let handle = start(words) else { throw noMemory }
      guard words["sslmode"] == nil, !ServerDestination(handle, words).isTrusted else { return (handle, words) }
      PQfinish(handle)
      words["sslmode"] = ServerDestination.strictMode
      guard let strict = start(words) else { throw noMemory }
      return (strict, words)
    }

    private static var noMemory: ServerError { ServerError(message: "there is no memory") }

    private static func start(_ words: [String: String]) -> OpaquePointer? {
      withArrays(of: words) { keys, values in LibraryLanguage.english { PQconnectStartParams(keys, values, 0) } }
    }

    /// Calls `body` with libpq's arrays of keywords and values: in one text, a value could be read as further keywords.
    static func withArrays<Result>(
      of words: [String: String],
      _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Result
    ) -> Result {
      let words = words.sorted { $0.key < $1.key }
      var keys: [UnsafePointer<CChar>?] = words.map { UnsafePointer(strdup($0.key)) }
      var values: [UnsafePointer<CChar>?] = words.map { UnsafePointer(strdup($0.value)) }
      defer { for text in keys + values { free(UnsafeMutablePointer(mutating: text)) } }
      keys.append(nil)
      values.append(nil)
      return body(keys, values)
    }

    /// Continues connecting until the session is open.
    private static func finish(
      _ handle: OpaquePointer, _ words: [String: String], deadline: ContinuousClock.Instant?
    ) throws {
      if PQstatus(handle) == CONNECTION_BAD, areRefused(words) { throw refusal(of: handle) }
      var next = PQstatus(handle) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
      while next != PGRES_POLLING_OK {
        guard next != PGRES_POLLING_FAILED else { throw failure(of: handle) }
        let writes = next == PGRES_POLLING_WRITING
        let events = ServerSocket.wait(for: PQsocket(handle), reading: !writes, writing: writes, until: deadline)
        // A server that goes on talking has no more time than one that is silent.
        if events.isEmpty || deadline.map({ $0 < .now }) == true {
          throw ServerError(message: "the server did not answer in time", isConnectionLost: true, isTimedOut: true)
        }
        next = LibraryLanguage.english { PQconnectPoll(handle) }
      }
    }

    /// Returns why there is no connection. With several hosts the message has a line for each; the last code is used.
    private static func failure(of handle: OpaquePointer) -> ServerError {
      let lines = String(cString: PQerrorMessage(handle)).split(separator: "\n")
      // The format is that of "FATAL:  28P01: password authentication failed", where the words are in the server's
      // language.
      let codes = lines.compactMap { line in line.firstMatch(of: /:  ([0-9A-Z]{5}): (.*)/)?.output }
      guard let (_, code, message) = codes.last else {
        if isOfSettings(handle, lines) { return refusal(of: handle) }
        return ServerError(message: lines.first.map(String.init) ?? "no connection was made", isConnectionLost: true)
      }
      // The connection was refused by a server that is starting, stopping or full, or by a proxy before it: a later
      // attempt may succeed.
      let isAbsent = code.hasPrefix("57P") || code.hasPrefix("08")
      return ServerError(sqlState: String(code), message: String(message), isConnectionLost: isAbsent)
    }
  }
#endif
