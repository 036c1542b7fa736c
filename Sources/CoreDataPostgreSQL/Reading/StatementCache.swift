#if PostgreSQL
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// The statements of a store by their purpose, so that the text of each is composed once.
  final class StatementCache: Sendable {
    /// The purpose of a statement; numbers are those of entities.
    enum Purpose: Hashable {
      case rowsByKey(Int)
      case members(RelationID, ofMany: Bool)
      case versions(Int)
      case uniqueValues(Int, [String], Int)
      case newKeys(Int)
      case insertion(Int)
      /// The entity, and the positions of the columns that change.
      case update(Int, [Int])
      case deletion(Int)
      case locking(Int)
      case lockCheck(Int)
      case vacating(Int, [String])
      case ofMembers(RelationID, MembersUse)
      case tombstones(Int)
      case derivation(Int, String)
      case stringValues(SQLStringColumn)
    }

    /// What a statement does with the members of a to-many relationship.
    enum MembersUse: Hashable {
      case addition, removal, release, adoption, withoutOwner, append, arrangement
    }

    private let statements = Mutex<[Purpose: ServerStatement]>([:])

    /// Returns the statement for a purpose; the first call makes it.
    func statement(_ purpose: Purpose, _ make: () throws -> ServerStatement) rethrows -> ServerStatement {
      if let known = statements.withLock({ $0[purpose] }) { return known }
      let made = try make()
      statements.withLock { $0[purpose] = made }
      return made
    }
  }
#endif
