#if PostgreSQL
  import Foundation
  import Synchronization

  /// The tokens of a store's commits. They tell these from others' in the tables, also before the save has its answer.
  final class CommitTokens: Sendable {
    /// The first half of all of them.
    private let own = UInt64.random(in: 0...UInt64.max)
    private let count = Atomic<UInt64>(0)

    /// One that nobody has had.
    func next() -> UUID {
      let number = count.wrappingAdd(1, ordering: .relaxed).newValue
      return UUID(uuid: unsafeBitCast((own, number), to: uuid_t.self))
    }

    func areOf(_ token: UUID) -> Bool { unsafeBitCast(token.uuid, to: (UInt64, UInt64).self).0 == own }
  }
#endif
