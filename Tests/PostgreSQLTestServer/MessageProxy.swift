import Foundation

/// A proxy between clients and a server that finds the ends of messages. It can cut connections at a message, delay messages,
/// split them or join them, and it counts them.
///
/// It does not support encryption. Each connection has a thread of its own.
public final class MessageProxy: @unchecked Sendable {  // `lock` guards the variables
  public typealias Side = MessageScanner.Side

  /// The kind of socket that the proxy listens on.
  public enum Transport: Sendable { case unix, tcp }

  public struct Behaviour: Sendable {
    /// How long each message is held, in both directions. Messages are delayed in parallel, not one after the other.
    public var delay = Duration.zero
    /// Whether each byte is written by a call of its own.
    public var splits = false
    /// Whether messages are held until a message comes after which the sender waits for the other side.
    public var coalesces = false
    /// Words of statements that the server shall not know. The proxy changes their last letter when they pass.
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
  /// The pending cuts in order. The first one has the side whose messages are counted down, and how many may still pass.
  private var countdowns: [(side: Side, rest: Int)] = []
  private var open: [ObjectIdentifier: ProxiedConnection] = [:]
  private var roundTrips = 0
  private var cuts = 0
  /// The number of calls of `cutNow`.
  private var era = 0
  private var isStopped = false

  /// Makes a proxy that listens, and that connects its clients to a server's socket in the file system.
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

  /// Returns a URL that leads to the proxy.
  public func url(user: String = "tests", database: String = "postgres") -> URL {
    let host = folder?.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "127.0.0.1:\(listener.port)"
    guard let url = URL(string: "postgresql://\(user)@\(host)/\(database)") else {
      preconditionFailure("\(user) or \(database) is no part of a URL")
    }
    return url
  }

  /// How the proxy treats messages. A change affects the messages that arrive after it.
  public var behaviour: Behaviour {
    get { lock.withLock { mode } }
    set { lock.withLock { mode = newValue } }
  }

  // MARK: Cutting

  /// Lets `count` messages of one side pass, counted from now over all connections, and then cuts the connection of the last of
  /// them. The other side still gets that message; data in the opposite direction is lost. With 0 the next message does not pass.
  public func cut(after count: Int, of side: Side) { cut([(count, side)]) }

  /// Makes several cuts like `cut(after:of:)`. Each cut counts messages from the one after the previous cut.
  public func cut(_ cuts: [(count: Int, side: Side)]) {
    lock.withLock { countdowns = cuts.map { ($0.side, $0.count) } }
  }

  /// Lets all messages pass again.
  public func doNotCut() { lock.withLock { countdowns = [] } }

  /// Cuts all connections. When this returns, both sides of each connection see its end.
  public func cutNow() {
    let connections = lock.withLock {
      era += 1
      return Array(open.values)
    }
    for connection in connections { connection.shutDown() }
  }

  /// The number of connections that `cut(after:of:)` and `cut(_:)` have cut.
  public var cutCount: Int { lock.withLock { cuts } }

  /// Cuts all connections and stops listening.
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

  /// Returns the number of messages of each kind that have passed since `resetCounts`.
  public func counts(of side: Side) -> [MessageScanner.Kind: Int] { lock.withLock { counted[side] ?? [:] } }

  /// Returns the number of messages that have passed since `resetCounts`.
  public func count(of side: Side) -> Int { counts(of: side).values.reduce(0, +) }

  /// The number of messages after which clients wait for the server: Sync and simple queries.
  public var flightCount: Int { lock.withLock { counted[.client].map { ($0["S"] ?? 0) + ($0["Q"] ?? 0) } ?? 0 } }

  /// The number of times that clients have sent messages and then waited for the server. Several syncs that are sent together are
  /// one round trip. A COPY takes one round trip until the server is ready for its rows.
  public var roundTripCount: Int { lock.withLock { roundTrips } }

  /// The number of connections since `resetCounts`.
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

  /// Counts a round trip: a client begins to wait for the server.
  func noteRoundTrip() { lock.withLock { roundTrips += 1 } }

  /// Counts a message that has arrived, and returns whether its connection is cut before or after the message.
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

  /// The number of calls of `cutNow`. A connection that was made before the latest call is cut.
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
      // The connection does not keep the proxy alive between its steps.
      while let proxy = self, connection.step(for: proxy) {}
      self?.forget(connection)
    }
  }

  private func forget(_ connection: ProxiedConnection) {
    // The connection is released after the lock, because its release closes its sockets.
    _ = lock.withLock { open.removeValue(forKey: ObjectIdentifier(connection)) }
  }
}
