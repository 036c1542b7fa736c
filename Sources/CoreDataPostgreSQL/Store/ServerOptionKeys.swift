#if PostgreSQL
  import Foundation

  /// Option: the schema of the database that the store is in, as String. Without the option it is the URL's parameter
  /// `schema`, as in `postgresql://app@db/shop?schema=tenant7`, or else "public".
  ///
  /// A schema holds one store: one for each tenant, or for each part of a system. A missing schema is made if the role has
  /// CREATE on the database; in an existing schema the role needs CREATE on the schema.
  public let NSPostgreSQLSchemaOption = "NSPostgreSQLSchemaOption"
  /// Option: gives the password of the URL's user, as a `PostgreSQLPassword`. The object is asked for each connection, so
  /// that the password may be a token that expires.
  ///
  /// Without the option libpq looks in the URL, in PGPASSWORD, and in ~/.pgpass.
  public let NSPostgreSQLPasswordOption = "NSPostgreSQLPasswordOption"
  /// Option: the seconds after which the server ends a statement, as NSNumber. Without the option there is no limit. A
  /// request that is ended like this throws 134090.
  public let NSPostgreSQLStatementTimeoutOption = "NSPostgreSQLStatementTimeoutOption"
  /// Option: the server's `synchronous_commit` for saves, as String. Without the option the server's own setting holds.
  ///
  /// With "off" a save does not wait for the disk. After a crash of the server the last saves may be missing, each of them as
  /// a whole; no save is there in part.
  public let NSPostgreSQLDurabilityOption = "NSPostgreSQLDurabilityOption"
  /// Option: whether the URL leads to a pooler that gives each transaction another connection, as PgBouncer does in
  /// transaction mode; NSNumber of a Boolean. Statements are not prepared by name then, the settings of a session are sent
  /// with each transaction, and the store looks every two seconds for changes of others.
  public let NSPostgreSQLConnectionPoolerOption = "NSPostgreSQLConnectionPoolerOption"
  /// Option: the URL of a standby of the same server from which contexts read, as URL or String. Without the option there is
  /// none.
  ///
  /// A context sees what this store's coordinator has saved before, and what has been merged into the context: if the standby
  /// has not replayed that within 20 ms, the primary is read. Saves of others may appear later on the standby. Contexts that
  /// are pinned to a query generation, history and metadata are read from the primary, and so is everything while the standby
  /// does not answer.
  public let NSPostgreSQLReplicaURLOption = "NSPostgreSQLReplicaURLOption"

  /// In the error 134030 of a save: NSNumber true if the connection was lost while the server was committing, and no server
  /// has answered since, so that it is not known whether the save has taken effect. The context keeps its changes. Before its
  /// next save writes new objects again, it finds out whether the first save has taken effect: if so, the next save throws
  /// 134030, and the context must be reset.
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

    /// - Parameter password: called for each connection, on the thread that needs the connection. If it throws, the request
    ///   throws the same error.
    public init(_ password: @escaping @Sendable () throws -> String?) { self.password = password }
  }
#endif
