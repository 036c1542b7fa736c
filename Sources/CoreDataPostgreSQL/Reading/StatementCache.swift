#if PostgreSQL
  @_spi(Store) import OpenCoreData
  import Synchronization

  /// The statements of a store, by their purposes, so that each is made only once.
  final class StatementCache: Sendable {
    /// The purpose of a statement. The numbers are those of entities.
    enum Purpose: Hashable {
      case rowsByKey(Int)
      case members(RelationID, ofMany: Bool)
      case versions(Int)
      case uniqueValues(Int, [String], Int)
      case newKeys(Int)
      case insertion(Int)
      /// The positions of the columns that change, and whether the rows lose their places among an owner's members.
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

    /// The statement for a purpose, made at the first call.
    func statement(_ purpose: Purpose, _ make: () throws -> ServerStatement) rethrows -> ServerStatement {
      if let known = statements.withLock({ $0[purpose] }) { return known }
      let made = try make()
      statements.withLock { $0[purpose] = made }
      return made
    }
  }
#endif
