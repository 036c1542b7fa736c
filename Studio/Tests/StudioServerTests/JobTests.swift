import Foundation
import Hummingbird
import Testing

@testable import StudioServer

/// Work that takes longer than a page may.
@Suite struct JobTests {
  private func ended(_ job: Job) async throws -> Job.Outcome {
    while true {
      if let outcome = job.outcome { return outcome }
      try await Task.sleep(for: .milliseconds(5))
    }
  }

  private func stopped(throwing error: any Error & Sendable) async throws -> Job.Outcome {
    let job = try Jobs().start("Work", origin: "/", section: .none) { job in
      while !job.isStopped { try? await Task.sleep(for: .milliseconds(5)) }
      throw error
    }
    job.stop()
    return try await ended(job)
  }

  @Test func oneThatIsStoppedSaysSo() async throws {
    let outcome = try await stopped(throwing: CancellationError())
    guard case .stopped(said: nil) = outcome else { return #expect(Bool(false), "\(outcome)") }
  }

  /// A migration that was stopped says what has become of the store.
  @Test func whatOneSaysWhenItIsStoppedIsShown() async throws {
    let error = StudioError(.conflict, "Stopped", "The store is as it was.")
    let outcome = try await stopped(throwing: error)
    guard case .stopped(said: "The store is as it was.") = outcome else { return #expect(Bool(false), "\(outcome)") }
  }

  @Test func noMoreRunThanTheStoresBear() async throws {
    let jobs = Jobs()
    let running = try (0..<3).map { number in
      try jobs.start("Work \(number)", origin: "/", section: .none) { job in
        while !job.isStopped { try? await Task.sleep(for: .milliseconds(5)) }
        return ""
      }
    }
    let error = #expect(throws: StudioError.self) {
      _ = try jobs.start("One more", origin: "/", section: .none) { _ in "" }
    }
    #expect(error?.status == .tooManyRequests)
    running[0].stop()
    _ = try await ended(running[0])
    let last = try jobs.start("One more", origin: "/", section: .none) { _ in "done" }
    guard case .finished(html: "done") = try await ended(last) else { return #expect(Bool(false)) }
    running.forEach { $0.stop() }
  }
}
