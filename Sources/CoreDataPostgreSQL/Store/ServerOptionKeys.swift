#if PostgreSQL
  import Foundation

  /// Option: the schema of the database that the store is in, as String; if it is not there, the URL's parameter `schema`, as
  /// in `postgresql://app@db/shop?schema=tenant7`, or else "public".
  ///
  /// A schema holds one store: one for each tenant, or for each part of a system. It is made if it is missing and the role
  /// may do so (CREATE on the database); in one that is there the role needs CREATE on the schema.
  public let NSPostgreSQLSchemaOption = "NSPostgreSQLSchemaOption"
  /// Option: gives the password of the URL's user, as a `PostgreSQLPassword`. Asked for each connection, so that it may
  /// be a token that expires.
  ///
  /// Without it libpq looks in the URL, in PGPASSWORD, and in ~/.pgpass.
  public let NSPostgreSQLPasswordOption = "NSPostgreSQLPasswordOption"
  /// Option: seconds after which the server ends a statement, as NSNumber; no limit if it is not there. Such a request
  /// throws 134090.
  public let NSPostgreSQLStatementTimeoutOption = "NSPostgreSQLStatementTimeoutOption"
  /// Option: the server's `synchronous_commit` for saves, as String; the server's own setting if it is not there.
  ///
  /// With "off" a save does not wait for the disk. After a crash of the server saves of its last moments may be missing,
  /// each as a whole; nothing is torn.
  public let NSPostgreSQLDurabilityOption = "NSPostgreSQLDurabilityOption"
  /// Option: whether the URL leads to a pooler that gives each transaction another connection, as PgBouncer does in
  /// transaction mode; NSNumber of a Boolean. Statements are then not prepared by name, the settings of a session go with each
  /// transaction, and changes of others are looked for every two seconds.
  public let NSPostgreSQLConnectionPoolerOption = "NSPostgreSQLConnectionPoolerOption"
  /// Option: the URL of a standby of the same server, as URL or String, for contexts to read from; none if it is not there.
  ///
  /// A context sees what this store's coordinator has saved before, and what has been merged into it: where the standby does
  /// not have that within 20 ms, the primary is read. Saves of others may come later there. Contexts that are pinned to a
  /// query generation, history and metadata are read on the primary, and so is everything while the standby does not answer.
  public let NSPostgreSQLReplicaURLOption = "NSPostgreSQLReplicaURLOption"

  /// In the error 134030 of a save: the connection was lost while the server was committing, and no server has answered
  /// since, so that it is not known whether the save took place; NSNumber true. The context keeps its changes, and its
  /// next save finds out before it writes new objects again: if the save took place, it throws 134030, and the context must
  /// be reset.
  public let NSPostgreSQLSaveIsInDoubtKey = "NSPostgreSQLSaveIsInDoubtKey"

  /// Gives the password for a connection; nil leaves it to libpq.
  ///
  /// ```swift
  /// import CoreDataPostgreSQL
  ///
  /// let description = NSPersistentStoreDescription()
  /// description.setOption(
  ///   PostgreSQLPassword { ProcessInfo.processInfo.environment["SHOP_PASSWORD"] }, forKey: NSPostgreSQLPasswordOption)
  /// ```
  public final class PostgreSQLPassword: NSObject, Sendable {
    let password: @Sendable () throws -> String?

    /// - Parameter password: called for each connection, on the thread that needs it. What it throws, the request throws.
    public init(_ password: @escaping @Sendable () throws -> String?) { self.password = password }
  }
#endif
