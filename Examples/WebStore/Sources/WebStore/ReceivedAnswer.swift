import Foundation
import Synchronization

/// The answer that one thread gives and another one waits for.
final class ReceivedAnswer: Sendable {
  private let given = DispatchSemaphore(value: 0)
  private let result = Mutex<Result<(Int, Data), any Error>>(.failure(URLError(.unknown)))

  func give(_ result: Result<(Int, Data), any Error>) {
    self.result.withLock { $0 = result }
    given.signal()
  }

  func wait() -> Result<(Int, Data), any Error> {
    given.wait()
    return result.withLock { $0 }
  }
}
