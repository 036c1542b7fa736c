import Foundation
import Synchronization
import WebProtocol

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Asks the service, and waits for the answer.
///
/// A store is asked on the queue of a context, which may be a thread of Swift's tasks (`await context.perform`). It waits there as
/// for a disk. URLSession answers on threads of its own, so that this ends whatever else waits.
final class WebConnection: Sendable {
  private struct State {
    var traffic = WebTraffic()
    /// Why the service could not be reached last time; nil if it could.
    var absence: NSError?
  }

  let base: URL
  private let options: WebStoreOptions
  private let session: URLSession
  private let configuration: URLSessionConfiguration
  private let state = Mutex(State())

  init(_ base: URL, _ options: WebStoreOptions) {
    (self.base, self.options) = (base, options)
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = options.timeout
    configuration.timeoutIntervalForResource = options.timeout
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    session = URLSession(configuration: configuration)
    self.configuration = configuration
  }

  deinit { session.invalidateAndCancel() }

  var traffic: WebTraffic { state.withLock { $0.traffic } }

  /// Why the service cannot be reached; nil if it answered last time.
  var absence: NSError? { state.withLock { $0.absence } }

  func note(_ change: (inout WebTraffic) -> Void) { state.withLock { change(&$0.traffic) } }

  // MARK: Requests

  func get<Answer: Decodable>(_ path: String, rows: (Answer) -> Int = { _ in 0 }) throws -> Answer {
    try decoded(try send("GET", path, nil), path, rows)
  }

  func post<Answer: Decodable>(
    _ path: String, _ message: some Encodable, rows: (Answer) -> Int = { _ in 0 }
  ) throws -> Answer {
    try decoded(try send("POST", path, try JSONEncoder().encode(message)), path, rows)
  }

  /// A save has a connection of its own. Where one that was used before ends without an answer, libcurl sends the request again by
  /// itself, without the body, and waits until the time is up: of reads this costs time, of a save it would leave a doubt more often.
  /// - Parameter limit: how many bytes the service takes.
  func save(_ message: SaveMessage, limit: Int) throws -> SaveAnswer {
    let body = try JSONEncoder().encode(message)
    if body.count > limit {
      throw NSError(
        web: .unsupported,
        "The save has \(body.count) bytes, and the service takes \(limit). Save fewer objects at a time.")
    }
    return try decoded(try send("POST", "save", body, isAlone: true), "save") { _ in 0 }
  }

  private func decoded<Answer: Decodable>(_ answer: (status: Int, body: Data), _ path: String, _ rows: (Answer) -> Int)
    throws
    -> Answer
  {
    guard (200..<300).contains(answer.status) else {
      if let failure = try? JSONDecoder().decode(Failure.self, from: answer.body) {
        throw StatusError(status: answer.status, failure: failure)
      }
      throw notAService("it answered \(path) with the status \(answer.status)")
    }
    do {
      let decoded = try JSONDecoder().decode(Answer.self, from: answer.body)
      let count = rows(decoded)
      state.withLock { state in
        state.traffic.rows += count
        if let last = state.traffic.exchanges.lastIndex(where: { $0.path == path }) {
          state.traffic.exchanges[last].rows = count
        }
      }
      return decoded
    } catch { throw notAService("its answer to \(path) cannot be read", error) }
  }

  private func notAService(_ reason: String, _ underlying: (any Error)? = nil) -> NSError {
    NSError(
      web: .notAService, "\(base.withoutSecrets) is no web service of this version: \(reason).", underlying: underlying)
  }

  /// Sends a request, again if no answer comes: all requests of the protocol may be repeated. While the service is known to be
  /// away, one try has to do.
  /// - Parameter isAlone: whether the request has a connection of its own.
  private func send(
    _ method: String, _ path: String, _ body: Data?, isAlone: Bool = false
  ) throws -> (status: Int, body: Data) {
    // Names of entities and relationships may have any letters.
    guard let encoded = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed),
      let url = URL(string: encoded, relativeTo: base)
    else { throw notAService("“\(path)” is no path") }
    var request = URLRequest(url: url, timeoutInterval: options.timeout)
    request.httpMethod = method
    request.httpBody = body
    if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
    let attempts = absence == nil ? options.attempts : 1
    var pause = options.pause
    var failure: (any Error)?
    var mayHaveArrived = false
    for attempt in 1...attempts {
      if attempt > 1 {
        Thread.sleep(forTimeInterval: pause)
        pause *= 2
        note { $0.retries += 1 }
      }
      do {
        let answer = try once(request, isAlone: isAlone)
        note { $0.note(WebExchange(method: method, path: path, rows: 0, status: answer.status)) }
        // What stands between says that the service is not there, or the service that it has too much to do.
        if [429, 502, 503, 504].contains(answer.status) {
          failure = URLError(
            .badServerResponse, userInfo: [NSLocalizedDescriptionKey: "The status was \(answer.status)."])
          // A gateway may have passed the request on.
          mayHaveArrived = mayHaveArrived || answer.status != 429
          continue
        }
        state.withLock { $0.absence = nil }
        return answer
      } catch {
        note { $0.note(WebExchange(method: method, path: path, rows: 0, status: nil)) }
        let code = (error as? URLError)?.code
        mayHaveArrived = mayHaveArrived || ![.cannotConnectToHost, .cannotFindHost, .dnsLookupFailed].contains(code)
        failure = error
      }
    }
    let tries = attempts == 1 ? "once" : "\(attempts) times"
    let error = NSError(
      web: .away, "The service at \(base.withoutSecrets) cannot be reached (tried \(tries)).", underlying: failure)
    state.withLock { $0.absence = error }
    throw AwayError(error: error, mayHaveArrived: mayHaveArrived)
  }

  private func once(_ request: URLRequest, isAlone: Bool) throws -> (status: Int, body: Data) {
    let session = isAlone ? URLSession(configuration: configuration) : session
    defer { if isAlone { session.finishTasksAndInvalidate() } }
    let answer = ReceivedAnswer()
    let task = session.dataTask(with: request) { body, response, error in
      if let response = response as? HTTPURLResponse, error == nil {
        answer.give(.success((response.statusCode, body ?? Data())))
      } else {
        answer.give(.failure(error ?? URLError(.badServerResponse)))
      }
    }
    task.resume()
    return try answer.wait().get()
  }
}

/// No answer. A request that no connection was made for has not arrived; any other one may have.
struct AwayError: Error {
  let error: NSError
  let mayHaveArrived: Bool
}

/// An answer that says no.
struct StatusError: Error {
  let status: Int
  let failure: Failure

  /// Whether the service says that it has not what was asked for. A 404 without its name may come from what stands between.
  func saysGone(_ name: String) -> Bool { status == 404 && failure.gone == [name] }
}
