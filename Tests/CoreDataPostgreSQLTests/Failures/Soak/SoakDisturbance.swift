#if PostgreSQL
  import Foundation
  import PostgreSQLTestServer
  import Synchronization

  @testable import CoreDataPostgreSQL

  /// Cuts connections, has messages come late and in pieces, ends and kills the server's processes, and stops the server.
  final class SoakDisturbance: @unchecked Sendable {  // the counts belong to its thread until it has ended
    private let server: PostgreSQLServer
    private let proxy: MessageProxy
    private var random: SeededGenerator
    private let isStopped = Atomic<Bool>(false)
    private let ended = DispatchSemaphore(value: 0)
    private(set) var cutsOfAll = 0, terminations = 0, kills = 0, restarts = 0
    /// The seconds between two kills, and between two stops of the server.
    private static let killPeriod = 20.0, stopPeriod = 240.0

    init(_ server: PostgreSQLServer, _ proxy: MessageProxy, seed: UInt64) {
      (self.server, self.proxy) = (server, proxy)
      random = SeededGenerator(seed: seed)
    }

    func begin() {
      // However slow the machine is, one connection is cut at a message.
      proxy.cut(after: 100, of: .server)
      Thread.detachNewThread { self.run() }
    }

    func end() {
      isStopped.store(true, ordering: .relaxed)
      ended.wait()
      proxy.doNotCut()
      proxy.behaviour = .init()
    }

    private func run() {
      var nextKill = Date(timeIntervalSinceNow: 2), nextStop = Date(timeIntervalSinceNow: Self.stopPeriod)
      while !isStopped.load(ordering: .relaxed) {
        usleep(UInt32.random(in: 30_000...150_000, using: &random))
        if Date() > nextKill {
          killProcess()
          nextKill = Date(timeIntervalSinceNow: Self.killPeriod * Double.random(in: 0.5...1.5, using: &random))
        }
        if Date() > nextStop {
          if (try? server.stop(immediate: true)) != nil, (try? server.start()) != nil { restarts += 1 }
          nextStop = Date(timeIntervalSinceNow: Self.stopPeriod)
        }
        disturb()
      }
      ended.signal()
    }

    private func disturb() {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        proxy.cutNow()
        cutsOfAll += 1
      case 1...3: if let process = someProcess() { terminate(process) }
      case 4, 5:
        proxy.behaviour = .init(
          delay: .microseconds(Int.random(in: 0...1_500, using: &random)),
          splits: Int.random(in: 0..<8, using: &random) == 0,
          coalesces: Bool.random(using: &random))
      case 6...9: proxy.behaviour = .init()
      case 10... where proxy.cutCount == 0: break
      default:
        proxy.cut(after: Int.random(in: 0...150, using: &random), of: Bool.random(using: &random) ? .client : .server)
      }
    }

    // MARK: The server's processes

    private func connect() -> ServerConnection? {
      guard let place = try? ServerPlace(server.url(), applicationName: "disturbance") else { return nil }
      return try? ServerConnection(place, deadline: .now + .seconds(5))
    }

    private func someProcess() -> Int32? {
      let found = try? connect()?.texts(
        "SELECT pid::text FROM pg_stat_activity WHERE backend_type = 'client backend' "
          + "AND application_name <> 'disturbance' ORDER BY random() LIMIT 1")
      return found?.first.flatMap { Int32($0) }
    }

    private func terminate(_ process: Int32) {
      if (try? connect()?.texts("SELECT pg_terminate_backend(\(process))::text")) != nil { terminations += 1 }
    }

    /// The server ends all sessions and recovers, as after a crash.
    private func killProcess() {
      guard let process = someProcess(), (try? server.kill(process)) != nil else { return }
      kills += 1
    }
  }
#endif
