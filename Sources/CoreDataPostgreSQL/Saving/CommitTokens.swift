#if PostgreSQL
  import Foundation
  import Synchronization

  /// Makes the tokens that a store's commits write into the server's tables. By the tokens the store recognizes its own
  /// commits, even if the answer to a save was lost.
  final class CommitTokens: Sendable {
    /// The first half of all tokens of this store.
    private let own = UInt64.random(in: 0...UInt64.max)
    private let count = Atomic<UInt64>(0)

    /// Returns a new token.
    func next() -> UUID {
      let number = count.wrappingAdd(1, ordering: .relaxed).newValue
      return UUID(uuid: unsafeBitCast((own, number), to: uuid_t.self))
    }

    func areOf(_ token: UUID) -> Bool { unsafeBitCast(token.uuid, to: (UInt64, UInt64).self).0 == own }
  }
#endif
