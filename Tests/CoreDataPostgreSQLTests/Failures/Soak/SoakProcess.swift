#if PostgreSQL
  import CoreData
  import Foundation
  import Synchronization

  /// What a process of the soak does: contexts on threads of their own, over one coordinator.
  enum SoakProcess {
    /// A context that has not got on for so long hangs.
    private static let patience = Int(Patience.seconds)

    static func run(at url: URL, number: Int, contexts: Int, seconds: Double, seed: UInt64, reportTo file: URL) throws {
      // What it says when it stops; the tests' library does not pass it on.
      let log = Glibc.open("\(file.path).log", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      if log >= 0 { dup2(log, 2) }
      let world = try open(url)
      let actors = (0..<contexts).map {
        SoakActor("p\(number)c\($0)", world, seed: seed &+ UInt64(1000 * number + $0))
      }
      let end = Date(timeIntervalSinceNow: seconds), group = DispatchGroup()
      for actor in actors {
        group.enter()
        Thread.detachNewThread {
          actor.run(until: end)
          actor.progress.store(.max, ordering: .relaxed)
          group.leave()
        }
      }
      var hanging: [String] = []
      while hanging.isEmpty, group.wait(timeout: .now() + .seconds(1)) == .timedOut {
        let limit = Int(Date().timeIntervalSince1970) - patience
        hanging = actors.filter { $0.progress.load(ordering: .relaxed) < limit }.map(\.name)
      }
      var report = SoakReport()
      if hanging.isEmpty {
        for actor in actors { report.add(actor.report) }
      } else {
        report.differences.append("\(hanging) hang")
      }
      try JSONEncoder().encode(report).write(to: file, options: .atomic)
      // The threads that hang are not waited for.
      if !hanging.isEmpty { exit(EXIT_SUCCESS) }
    }

    /// Opening is tried again, as by a program that starts while its server does.
    private static func open(_ url: URL) throws -> BatchWorld {
      let limit = Patience.limit
      while ContinuousClock.now < limit {
        if let world = try? BatchWorld(SoakModel.make(), at: url, options: SoakModel.options) { return world }
        usleep(100_000)
      }
      return try BatchWorld(SoakModel.make(), at: url, options: SoakModel.options)
    }
  }
#endif
