#if PostgreSQL
  import Foundation

  /// Option: the schema of the database that holds the store, as String. Without it, the schema is the URL's parameter
  /// `schema`, as in `postgresql://app@db/shop?schema=tenant7`, or else "public".
  ///
  /// A schema holds one store: for example one for each tenant, or for each part of a system. A schema that is missing is
  /// created if the role has CREATE on the database; in an existing schema the role needs CREATE on the schema.
  public let NSPostgreSQLSchemaOption = "NSPostgreSQLSchemaOption"
  /// Option: gives the password of the URL's user, as a `PostgreSQLPassword`. It is called for each connection, so that the
  /// password may be a token that expires.
  ///
  /// Without it libpq looks in the URL, in PGPASSWORD, and in ~/.pgpass.
  public let NSPostgreSQLPasswordOption = "NSPostgreSQLPasswordOption"
  /// Option: seconds after which the server ends a statement, as NSNumber; no limit if the option is missing. A request whose
  /// statement is ended throws 134090.
  public let NSPostgreSQLStatementTimeoutOption = "NSPostgreSQLStatementTimeoutOption"
  /// Option: the server's `synchronous_commit` for saves, as String; the server's own setting if the option is missing.
  ///
  /// With "off" a save does not wait for the disk. After a crash of the server, the last saves before it may be missing. Each
  /// save is either there or missing as a whole.
  public let NSPostgreSQLDurabilityOption = "NSPostgreSQLDurabilityOption"
  /// Option: whether the URL leads to a pooler that gives each transaction another connection, as PgBouncer does in transaction
  /// mode; NSNumber of a Boolean. Then statements are not prepared by name, the settings of a session go with each transaction,
  /// and the store looks for changes of other programs every two seconds.
  public let NSPostgreSQLConnectionPoolerOption = "NSPostgreSQLConnectionPoolerOption"
  /// Option: the URL of a standby of the same server, as URL or String, from which contexts read; no standby if the option is
  /// missing.
  ///
  /// A context sees the changes that this store's coordinator has saved before, and those that have been merged into the
  /// context: if the standby does not have these changes within 20 ms, the primary is read. Saves of other programs may appear
  /// later on the standby. Contexts that are pinned to a query generation, history and metadata are read on the primary, and so
  /// is everything while the standby does not answer.
  public let NSPostgreSQLReplicaURLOption = "NSPostgreSQLReplicaURLOption"

  /// In the error 134030 of a save: the connection was lost while the server was committing, and no server has answered since;
  /// or the server has committed, and its wait for a synchronous standby was stopped. So it is not known whether the save took place; NSNumber true. The context keeps its changes, and its next save finds out
  /// before it writes new objects again: if the first save took place, the next save throws 134030, and the context must be
  /// reset.
  public let NSPostgreSQLSaveIsInDoubtKey = "NSPostgreSQLSaveIsInDoubtKey"

  /// Gives the password for a connection; with nil, libpq looks for the password.
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

    /// - Parameter password: called for each connection, on the thread that needs the connection. The request throws any error
    ///   of this closure.
    public init(_ password: @escaping @Sendable () throws -> String?) { self.password = password }
  }
#endif
