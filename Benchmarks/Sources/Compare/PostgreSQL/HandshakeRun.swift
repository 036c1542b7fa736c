import Foundation
import PostgreSQLTestServer

/// A workload in a process of its own behind a proxy, which counts only the flights of the measured work, and delays them.
final class HandshakeRun {
  /// The figures of one work.
  struct Figures {
    /// The number of times that the client waited for the server.
    var flights = 0
    /// The elapsed milliseconds, one value for each delay.
    var elapsed: [Double] = []
  }

  private let process = Process()
  private let input = Pipe(), output = Pipe()
  private var unread = Data()

  init(_ program: URL, _ arguments: [String]) {
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["BENCHMARKS_HANDSHAKE": "1"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
  }

  /// Does each work of the process once for each delay.
  /// - Parameter roundTrips: The durations of a round trip, in milliseconds.
  func measure(_ proxy: MessageProxy, roundTrips: [Double]) throws -> [String: Figures] {
    try process.run()
    var all: [String: Figures] = [:]
    while let line = nextLine() {
      let parts = line.split(separator: " ").map(String.init)
      guard parts.count == 2, parts[0] == "begin" else { continue }
      var figures = all[parts[1]] ?? Figures()
      guard figures.elapsed.count < roundTrips.count else {
        try tell("done")
        continue
      }
      let half = roundTrips[figures.elapsed.count] / 2
      proxy.behaviour.delay = .microseconds(Int(half * 1000))
      proxy.resetCounts()
      try tell("go")
      guard let end = nextLine()?.split(separator: " "), end.count == 4, end[0] == "end", let wall = Double(end[2])
      else {
        break
      }
      // An idle store sends nothing, so all counted flights belong to the work.
      let flights = proxy.roundTripCount
      if figures.elapsed.isEmpty { figures.flights = flights }
      figures.elapsed.append(wall)
      all[parts[1]] = figures
      proxy.behaviour.delay = .zero
      try tell("next")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CompareError(
        "\(process.arguments?.first ?? "") behind a proxy ended with \(process.terminationStatus)")
    }
    return all
  }

  private func tell(_ word: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8)) }

  private func nextLine() -> String? {
    while true {
      if let end = unread.firstIndex(of: 10) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { return nil }
      unread += more
    }
  }
}
