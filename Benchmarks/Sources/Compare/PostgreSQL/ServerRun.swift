import Foundation
import PostgreSQLTestServer

/// Compares the framework's PostgreSQL store with C over libpq: both do the same work on the same server, alternately.
struct ServerRun {
  /// The round-trip times behind the proxy, in milliseconds.
  let roundTrips: [Double]

  let lines: [ServerLine]
  let rounds: Int
  private let programs = Programs(folder: "")
  private let server: PostgreSQLServer
  private let proxy: MessageProxy

  /// Starts a server, which ends with the run.
  init(_ lines: [ServerLine], rounds: Int, roundTrips: [Double]) throws {
    guard PostgreSQLServer.isInstalled else {
      throw CompareError("PostgreSQL is not installed: apt-get install postgresql libpq-dev")
    }
    self.lines = lines
    self.rounds = rounds
    self.roundTrips = roundTrips
    do {
      // An automatic vacuum would disturb the measurement of one side.
      server = try PostgreSQLServer(settings: ["autovacuum": "off", "max_wal_size": "4GB", "shared_buffers": "512MB"])
      proxy = try MessageProxy(to: server.socket)
    } catch let failure as PostgreSQLServer.Failure {
      throw CompareError(failure.message)
    }
  }

  /// Returns the version of the server.
  func version() throws -> String { try server.values(of: "SHOW server_version").first ?? "" }

  /// Loads the data that the works read, on both sides.
  func prepare() throws {
    var counts: Set<String> = []
    var needsPairs = false
    for line in lines {
      for work in [line.framework, line.baseline] {
        let count = work.process.split(separator: "-").last.map(String.init) ?? ""
        if ["pg-fetch", "pg-rows", "pg-faults"].contains(where: { work.process.hasPrefix($0) }) {
          counts.insert(count)
        }
        needsPairs = needsPairs || work.process.hasPrefix("pg-prefetch")
      }
    }
    let preparations = counts.sorted().map { "pg-prepare-\($0)" } + (needsPairs ? ["pg-prepare-pairs-500"] : [])
    for preparation in preparations {
      // C copies the rows of the selfies from the framework's tables.
      for side in [Programs.Side.framework, .baseline] { try run(side, preparation) }
    }
    _ = try server.values(of: "VACUUM ANALYZE")
  }

  /// Measures the clients' CPU times, round after round.
  func measure(_ peers: [Peer]) throws -> Results {
    var results = Results()
    for round in 1...rounds {
      for (side, process) in processes(of: lines) {
        say("Round \(round) of \(rounds): \(process), \(side.rawValue)")
        let measured = try run(side, process)
        switch side {
        case .baseline: try results.add(baseline: measured)
        case .framework: try results.add(framework: measured)
        }
      }
      for peer in peers {
        for process in ServerPeers.processes where lines.contains(where: { $0.framework.process == process }) {
          say("Round \(round) of \(rounds): \(process), \(peer.name)")
          try results.add(peer, peer.measure(process, folder: server.url().absoluteString))
        }
      }
    }
    return results
  }

  /// Counts the flights of each work, and measures its time behind a proxy, once for each delay.
  func measureFlights() throws -> [Programs.Side: [String: HandshakeRun.Figures]] {
    var all: [Programs.Side: [String: HandshakeRun.Figures]] = [:]
    for (side, process) in processes(of: lines.filter(\.showsFlights)) {
      say("Behind a proxy: \(process), \(side.rawValue)")
      let run = HandshakeRun(programs.url(side), [process, proxy.url().absoluteString])
      all[side, default: [:]].merge(try run.measure(proxy, roundTrips: roundTrips)) { _, later in later }
    }
    return all
  }

  /// Returns the processes to start, in the order of the tables, with both sides of a line one after the other.
  private func processes(of lines: [ServerLine]) -> [(Programs.Side, String)] {
    var seen: Set<String> = []
    return lines.flatMap { [(Programs.Side.baseline, $0.baseline.process), (.framework, $0.framework.process)] }
      .filter { seen.insert("\($0.0) \($0.1)").inserted }
  }

  @discardableResult
  private func run(_ side: Programs.Side, _ process: String) throws -> [Measurement] {
    try Measurement.run(programs.url(side), [process, server.url().absoluteString])
  }

  private func say(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
