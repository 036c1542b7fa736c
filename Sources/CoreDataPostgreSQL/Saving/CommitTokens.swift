#if PostgreSQL
  import Foundation
  import Synchronization

  /// Makes the tokens that a store's commits write into the server's tables. By the tokens the store recognizes its own
  /// commits, even if the answer to a save was lost.
  final class CommitTokens: Sendable {
    private struct Own {
      /// The first half of all tokens of this store in this process.
      var half = UInt64.random(in: 0...UInt64.max)
      var count: UInt64 = 0
      var process = ForkedProcess.number
    }

    private let own = Mutex(Own())

    /// Returns a new token. In a child of `fork` it differs from each of the parent's and of other children's.
    func next() -> UUID {
      own.withLock { own in
        if own.process != ForkedProcess.number { own = Own() }
        own.count &+= 1
        return UUID(uuid: unsafeBitCast((own.half, own.count), to: uuid_t.self))
      }
    }

    func areOf(_ token: UUID) -> Bool {
      let half = unsafeBitCast(token.uuid, to: (UInt64, UInt64).self).0
      return own.withLock { $0.half == half && $0.process == ForkedProcess.number }
    }
  }
#endif
