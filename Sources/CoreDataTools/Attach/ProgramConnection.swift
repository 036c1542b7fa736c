#if os(Linux)
  import CommandSupport
  import Foundation
  import OpenCoreData
  import Synchronization

  /// A connection to a running program: one question after the other.
  public final class ProgramConnection: Sendable {
    private let descriptor: Int32
    private let lock = Mutex(Data())
    /// The greatest length of an answer.
    private static let limit = 64 << 20

    init(_ socket: URL) throws {
      do { descriptor = try LocalSocket.connected(to: socket.path) } catch {
        throw ToolError(error.localizedDescription)
      }
      // The end of a recording takes longest: functions are named.
      var patience = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    private struct Request: Encodable {
      let ask: String
      var context, predicate, entity, file: String?
      var limit, from: Int?
    }

    private struct Failure: Decodable { let error: String }
    private struct File: Decodable { let file: String }

    // MARK: Questions

    /// The program, its coordinators, stores and contexts.
    /// - Throws: a `ToolError` if the program does not answer, as every question does.
    public func tree() throws -> LiveTree { try answer(Request(ask: "tree")) }

    /// The pending changes of a context.
    public func changes(of context: String, limit: Int = 200) throws -> LiveChanges {
      try answer(Request(ask: "changes", context: context, limit: limit))
    }

    /// The registered objects of a context.
    public func objects(of context: String, limit: Int = 200) throws -> LiveObjectList {
      try answer(Request(ask: "objects", context: context, limit: limit))
    }

    /// Evaluates a predicate with the inserted and updated objects of a context, by values that are in memory.
    public func matches(_ predicate: String, in context: String, entity: String? = nil) throws -> LiveMatches {
      try answer(Request(ask: "matches", context: context, predicate: predicate, entity: entity))
    }

    /// The events from a number on; with nil none, but the number to begin with. The program notes events as long as somebody
    /// asks for them.
    public func events(from number: Int?) throws -> LiveEvents { try answer(Request(ask: "events", from: number)) }

    /// Starts a recording, which the program writes to a file; an existing one is replaced.
    public func startRecording(to file: URL) throws {
      let _: File = try answer(Request(ask: "record", file: file.path))
    }

    /// Stops the recording of the program, and returns its file if a tool has started it.
    @discardableResult
    public func stopRecording() throws -> URL? {
      let answer: File = try answer(Request(ask: "stop"))
      return answer.file.isEmpty ? nil : URL(fileURLWithPath: answer.file)
    }

    // MARK: Lines

    private func answer<Answer: Decodable>(_ request: Request) throws -> Answer {
      let line = try JSONEncoder().encode(request) + [UInt8(ascii: "\n")]
      let data = try lock.withLock { rest in
        try send(line)
        return try receive(&rest)
      }
      if let failure = try? JSONDecoder().decode(Failure.self, from: data) { throw ToolError(failure.error) }
      do { return try JSONDecoder().decode(Answer.self, from: data) } catch {
        throw ToolError("The program speaks another version of the protocol", error)
      }
    }

    private func send(_ line: Data) throws {
      var sent = 0
      while sent < line.count {
        let count = line[sent...].withUnsafeBytes {
          Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        if count > 0 { sent += count } else if errno != EINTR { throw gone() }
      }
    }

    private func receive(_ rest: inout Data) throws -> Data {
      var buffer = [UInt8](repeating: 0, count: 64 << 10)
      var searched = 0
      while true {
        if let end = rest[(rest.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
          defer { rest = Data(rest[(end + 1)...]) }
          return Data(rest[..<end])
        }
        searched = rest.count
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count > 0 { rest.append(contentsOf: buffer[..<count]) } else if count == 0 || errno != EINTR { throw gone() }
        if rest.count > Self.limit { throw ToolError("The answer of the program is too long.") }
      }
    }

    private func gone() -> ToolError { ToolError("The program has ended or does not answer any more.") }
  }
#endif
