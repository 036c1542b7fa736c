import Foundation

/// Stands between clients and a server, and knows where their messages end: it cuts connections at a message, holds
/// messages back, breaks them up or puts them together, and counts them.
///
/// It does not know encryption. Each connection has a thread of its own.
public final class MessageProxy: @unchecked Sendable {  // `lock` guards what changes
  public typealias Side = MessageScanner.Side

  /// What it listens on.
  public enum Transport: Sendable { case unix, tcp }

  public struct Behaviour: Sendable {
    /// How long messages are held, in each direction; they do not wait for each other.
    public var delay = Duration.zero
    /// Whether each byte is written by itself.
    public var splits = false
    /// Whether messages are held until one comes after which their side waits for the other.
    public var coalesces = false
    /// Words of statements that the server seems not to know: their last letter is another one when they pass.
    public var unknownWords: [String] = []

    public init(
      delay: Duration = .zero, splits: Bool = false, coalesces: Bool = false, unknownWords: [String] = []
    ) {
      self.delay = delay
      self.splits = splits
      self.coalesces = coalesces
      self.unknownWords = unknownWords
    }
  }

  private let lock = NSLock()
  private let upstream: String
  private let listener: ProxySocket
  private let folder: URL?
  private var mode: Behaviour
  private var counted: [Side: [MessageScanner.Kind: Int]] = [:]
  private var connections = 0
  /// The side whose messages are counted down, and how many may still pass; behind it the cuts that follow.
  private var countdowns: [(side: Side, rest: Int)] = []
  private var open: [ObjectIdentifier: ProxiedConnection] = [:]
  private var roundTrips = 0
  private var cuts = 0
  /// Counts the calls of `cutNow`.
  private var era = 0
  private var isStopped = false

  /// Listens, and passes on to a server's socket in the file system.
  public init(
    to upstream: String, over transport: Transport = .unix, behaviour: Behaviour = Behaviour()
  ) throws {
    self.upstream = upstream
    mode = behaviour
    switch transport {
    case .tcp:
      folder = nil
      listener = try ProxySocket.listeningOnTCP()
    case .unix:
      let folder = FileManager.default.temporaryDirectory.appending(path: "proxy-\(UUID().uuidString.prefix(8))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.folder = folder
      listener = try ProxySocket.listening(at: "\(folder.path)/.s.PGSQL.5432")
    }
    let listener = listener
    Thread.detachNewThread { [weak self] in
      while let descriptor = listener.accept() { self?.serve(ProxySocket(descriptor)) }
    }
  }

  deinit { stop() }

  /// A URL that leads here.
  public func url(user: String = "tests", database: String = "postgres") -> URL {
    let host = folder?.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "127.0.0.1:\(listener.port)"
    guard let url = URL(string: "postgresql://\(user)@\(host)/\(database)") else {
      preconditionFailure("\(user) or \(database) is no part of a URL")
    }
    return url
  }

  /// How messages pass, those that come from now on.
  public var behaviour: Behaviour {
    get { lock.withLock { mode } }
    set { lock.withLock { mode = newValue } }
  }

  // MARK: Cutting

  /// Lets so many messages of one side pass, counted from now over all connections, and cuts the connection of the last
  /// one behind it. The other side gets that message; what goes the other way is lost. With 0 the next message is cut off.
  public func cut(after count: Int, of side: Side) { cut([(count, side)]) }

  /// The same several times: what a cut counts begins with the message after the cut before it.
  public func cut(_ cuts: [(count: Int, side: Side)]) {
    lock.withLock { countdowns = cuts.map { ($0.side, $0.count) } }
  }

  /// Lets all messages pass again.
  public func doNotCut() { lock.withLock { countdowns = [] } }

  /// Cuts all connections: both sides see the end of each when this returns.
  public func cutNow() {
    let connections = lock.withLock {
      era += 1
      return Array(open.values)
    }
    for connection in connections { connection.shutDown() }
  }

  /// How many connections `cut(after:of:)` has cut.
  public var cutCount: Int { lock.withLock { cuts } }

  /// Cuts all connections and listens no more.
  public func stop() {
    let isFirst = lock.withLock {
      defer { isStopped = true }
      return !isStopped
    }
    guard isFirst else { return }
    cutNow()
    listener.stop()
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  // MARK: Counting

  /// How many messages have passed, by their kinds; forgotten by `resetCounts`.
  public func counts(of side: Side) -> [MessageScanner.Kind: Int] { lock.withLock { counted[side] ?? [:] } }

  /// How many messages have passed.
  public func count(of side: Side) -> Int { counts(of: side).values.reduce(0, +) }

  /// How many times clients have said that they wait for the server: by Sync, or by a simple query.
  public var flightCount: Int { lock.withLock { counted[.client].map { ($0["S"] ?? 0) + ($0["Q"] ?? 0) } ?? 0 } }

  /// How often clients have sent something and then waited for the server: several syncs that are sent together are one
  /// round trip, and a COPY takes one until the server is ready for its rows.
  public var roundTripCount: Int { lock.withLock { roundTrips } }

  /// How many connections there were.
  public var connectionCount: Int { lock.withLock { connections } }

  public func resetCounts() {
    lock.withLock {
      counted = [:]
      connections = 0
      roundTrips = 0
    }
  }

  // MARK: For connections

  enum Verdict { case pass, cutBehind, cutBefore }

  /// A client waits for the server.
  func noteRoundTrip() { lock.withLock { roundTrips += 1 } }

  /// A message has come.
  func note(_ kind: MessageScanner.Kind, of side: Side) -> Verdict {
    lock.withLock {
      var verdict = Verdict.pass
      if let (cutSide, rest) = countdowns.first, cutSide == side {
        verdict = rest == 0 ? .cutBefore : rest == 1 ? .cutBehind : .pass
        if rest > 1 { countdowns[0].rest = rest - 1 } else { countdowns.removeFirst() }
        if verdict != .pass { cuts += 1 }
      }
      if verdict != .cutBefore { counted[side, default: [:]][kind, default: 0] += 1 }
      return verdict
    }
  }

  /// The time, in calls of `cutNow`: a connection of an earlier one is cut.
  var currentEra: Int { lock.withLock { era } }

  private func serve(_ client: ProxySocket) {
    guard let server = try? ProxySocket.connected(to: upstream) else { return }
    let connection = lock.withLock {
      let connection = ProxiedConnection(client: client, server: server, era: era)
      connections += 1
      open[ObjectIdentifier(connection)] = connection
      return connection
    }
    Thread.detachNewThread { [weak self] in
      // The proxy may go while a connection does nothing.
      while let proxy = self, connection.step(for: proxy) {}
      self?.forget(connection)
    }
  }

  private func forget(_ connection: ProxiedConnection) {
    // It closes its sockets when it goes, which the lock need not wait for.
    _ = lock.withLock { open.removeValue(forKey: ObjectIdentifier(connection)) }
  }
}
